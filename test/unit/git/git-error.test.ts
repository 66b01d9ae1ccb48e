import { inspect } from 'node:util';
import { Errors } from 'isomorphic-git';
import { expect, test } from 'vitest';
import { gitError } from '../../../src/git/git-error.ts';
import { SetpointError } from '../../../src/model/index.ts';

const url = 'https://git.example.com/fleet';
const failure = (code: string, more: object = {}): Error => Object.assign(new Error(`canary ${code}`), { code, ...more });

test.each([
  ['ENOTFOUND', 'host name is not known'],
  ['EAI_AGAIN', 'could not be looked up'],
  ['ECONNREFUSED', 'was refused'],
  ['ECONNRESET', 'was cut'],
  ['EPIPE', 'was cut'],
  ['UND_ERR_SOCKET', 'was cut'],
  ['EHOSTUNREACH', 'no route'],
  ['ETIMEDOUT', 'no answer in time'],
  ['UND_ERR_CONNECT_TIMEOUT', 'no answer in time'],
  ['UND_ERR_HEADERS_TIMEOUT', 'no answer in time'],
  ['UND_ERR_BODY_TIMEOUT', 'in the middle'],
  ['CERT_HAS_EXPIRED', 'has expired'],
  ['CERT_NOT_YET_VALID', 'clocks'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'ca.crt'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'ca.crt'],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'ca.crt'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'ca.crt'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'another host name'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'http://'],
  ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'tls.crt'],
  ['SOMETHING_NEW', 'SOMETHING_NEW'],
])('%s: %s', (code, words) => {
  const error = gitError(failure(code), { url });
  expect(error).toMatchObject({ code: 'RepositoryUnreachable', message: expect.stringContaining(words) as string });
  expect(error.message).toContain(url);
});

test('what only has a text is not repeated', () => {
  expect(gitError(new Error('canary'), { url }).message).toBe(`${url} cannot be reached: the connection failed`);
  expect(gitError('canary', { url }).message).toBe(`${url} cannot be reached: the connection failed`);
});

test.each([
  ['a status', new Errors.HttpError(404, 'canary', 'canary'), 'RepositoryNotFound'],
  ['a refusal', new Errors.UserCanceledError(), 'RepositoryUnauthorized'],
  ['something else than Git', new Errors.SmartHttpError('canary', 'canary'), 'RepositoryInvalid'],
  ['packets that cannot be read', new Errors.ParseError('x', 'canary'), 'RepositoryInvalid'],
  ['an answer without content', new Errors.EmptyServerResponseError(), 'RepositoryInvalid'],
  ['a commit that is not there', new Errors.NotFoundError('canary'), 'RevisionNotFound'],
  ['a pack that is broken', new Errors.InternalError('canary'), 'RepositoryInvalid'],
])('isomorphic-git says %s', (_name, cause, code) => {
  expect(gitError(cause, { url })).toMatchObject({ code });
});

test.each([
  ['ENOSPC', 'the disk is full'],
  ['EDQUOT', 'quota'],
  ['EROFS', 'read-only'],
  ['EACCES', 'may not be written to'],
  ['EIO', 'EIO'],
])('our own disk is not taken for the server: %s', (code, words) => {
  const error = gitError(failure(code, { syscall: 'write', path: '/cache/pack' }), { url });
  expect(error).toMatchObject({ code: 'Internal', message: expect.stringContaining(`cannot be stored: `) as string });
  expect(error.message).toContain(words);
});

test('what has been explained stays as it is', () => {
  const explained = new SetpointError('SourceTooLarge', 'x');
  expect(gitError(explained, { url })).toBe(explained);
});

test('nothing that a library attached is printed', () => {
  const laden = failure('UND_ERR_SOCKET', { headers: { authorization: 'canary' }, socket: { password: 'canary' }, cause: new Error('canary') });
  for (const cause of [laden, new Errors.HttpError(500, 'canary', 'canary'), new Errors.SmartHttpError('canary', 'canary'), new Errors.ParseError('canary', 'canary')]) {
    const error = gitError(cause, { url });
    expect(inspect(error, { depth: 20, showHidden: true })).not.toContain('canary');
  }
});
