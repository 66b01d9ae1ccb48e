import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Destination, EmailConfig } from '../../src/model/index.ts';
import { createEmail, type EmailDeps } from '../../src/notify/email.ts';
import { readSecret } from '../../src/notify/secret.ts';
import { createCanaries } from '../support/canaries.ts';
import { certificateAuthority } from '../support/certificate-authority.ts';
import { digestNotification, exampleNotification, hostileNotification, resolvedNotification } from '../support/example-notification.ts';
import { startSmtpSink, type SmtpSink, type SmtpSinkOptions, type TakenMail } from '../support/smtp-sink.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { waitFor } from '../support/wait-for.ts';

const signal = new AbortController().signal;
const authority = certificateAuthority();
const certificate = authority.issue({ commonName: 'mail' });

interface Wanted {
  readonly sink?: SmtpSinkOptions;
  readonly config?: Partial<EmailConfig>;
  readonly deps?: Partial<EmailDeps>;
}

async function open({ sink: options = {}, config = {}, deps = {} }: Wanted = {}): Promise<{ readonly sink: SmtpSink; readonly destination: Destination }> {
  const sink = await startSmtpSink(options);
  onTestFinished(() => sink[Symbol.asyncDispose]());
  const destination = createEmail(
    { type: 'email', name: 'mail', host: '127.0.0.1', port: sink.port, tls: 'none', from: 'Setpoint <setpoint@example.com>', to: ['team@example.com', 'lead@example.com'], ...config },
    { readSecret, ...deps },
  );
  onTestFinished(() => destination.close());
  return { sink, destination };
}

async function secretFile(text: string): Promise<string> {
  const folder = await tempFolder();
  onTestFinished(() => folder.remove());
  const path = join(folder.path, 'password');
  await writeFile(path, text);
  return path;
}

function firstOf({ mails }: SmtpSink): TakenMail {
  const [mail] = mails;
  if (mail === undefined) throw new Error('no mail was taken');
  return mail;
}

/** Bodies in quoted-printable, soft line ends undone. */
const bodyOf = ({ raw }: TakenMail): string =>
  Buffer.from(
    raw.replaceAll('=\r\n', '').replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16))),
    'latin1',
  ).toString();

function tagsIn(mail: TakenMail): readonly string[] {
  const body = bodyOf(mail);
  const tags = body.slice(body.indexOf('<p>')).matchAll(/<\/?([a-z!@]+)/gi);
  return [...new Set([...tags].map(([, name = '']) => name))].toSorted();
}

describe('a mail', () => {
  test('says what happened, as plain text and as HTML', async () => {
    const { sink, destination } = await open();
    expect(await destination.send(exampleNotification(), signal)).toEqual({ type: 'sent', ref: '<evt_01JC8Z9K7Q0000000000000000@example.com>' });
    const mail = firstOf(sink);
    expect(mail).toMatchObject({ from: 'setpoint@example.com', to: ['team@example.com', 'lead@example.com'], login: undefined });
    expect(Object.fromEntries(mail.headers)).toMatchObject({
      subject: '[warning] checkout in prod: 1 of its resources was changed by hand',
      'message-id': '<evt_01JC8Z9K7Q0000000000000000@example.com>',
      'auto-submitted': 'auto-generated',
      date: 'Mon, 16 Nov 2026 10:46:12 +0000',
      'content-type': expect.stringContaining('multipart/alternative'),
    });
    expect(bodyOf(mail)).toContain('Deployment prod/checkout  spec.replicas  git 3 → live 5  by kubectl (scale)');
    expect(bodyOf(mail)).toContain('<p><b>checkout in prod: 1 of its resources was changed by hand</b>');
  });

  test('answers the first one of the same alert, which stays the one to answer', async () => {
    const { sink, destination } = await open();
    const ref = '<evt_first@example.com>';
    expect(await destination.send(resolvedNotification({ ref }), signal)).toEqual({ type: 'sent', ref });
    expect(Object.fromEntries(firstOf(sink).headers)).toMatchObject({ 'in-reply-to': ref, references: ref, 'message-id': '<evt_01JC8Z9K7Q0000000000000002@example.com>' });
  });

  test('has the same id in every copy', async () => {
    const { sink, destination } = await open();
    await destination.send(exampleNotification(), signal);
    await destination.send(exampleNotification(), signal);
    expect(new Set(sink.mails.map(({ headers }) => headers.get('message-id')))).toEqual(new Set(['<evt_01JC8Z9K7Q0000000000000000@example.com>']));
    expect(sink.mails.length).toBe(2);
  });

  test.each([
    ['names and values of an enemy', hostileNotification()],
    ['500 applications', digestNotification()],
  ])('has the headers that we gave it and no others: %s', async (_of, notification) => {
    const { sink, destination } = await open();
    expect(await destination.send({ ...notification, ref: '<x>\r\nBcc: enemy@example.com' }, signal)).toMatchObject({ type: 'sent' });
    const mail = firstOf(sink);
    expect([...mail.headers.keys()].toSorted()).toEqual(['auto-submitted', 'content-type', 'date', 'from', 'message-id', 'mime-version', 'subject', 'to']);
    expect(mail.to).toEqual(['team@example.com', 'lead@example.com']);
    expect(tagsIn(mail)).toEqual(['b', 'br', 'p', 'pre', 'small']);
    expect(mail.raw.length).toBeLessThan(200_000);
  });

  test('reaches those whose address is right', async () => {
    const { sink, destination } = await open();
    sink.answer('RCPT lead@example.com', '550 5.1.1 no such user');
    expect(await destination.send(exampleNotification(), signal)).toMatchObject({ type: 'sent' });
    expect(firstOf(sink).to).toEqual(['team@example.com']);
  });
});

describe('a mail server that answers', () => {
  test.each([
    ['CONNECT', '421 4.3.2 too busy', 'retry'],
    ['MAIL', '451 4.7.1 try again later', 'retry'],
    ['RCPT', '450 4.2.0 greylisted', 'retry'],
    ['END', '452 4.3.1 no space left', 'retry'],
    ['CONNECT', '554 5.7.1 you are not wanted here', 'refused'],
    ['MAIL', '550 5.7.1 not your domain', 'refused'],
    ['RCPT', '550 5.1.1 no such user', 'refused'],
    ['END', '554 5.7.1 this is spam', 'refused'],
  ])('to %s with %s', async (command, said, type) => {
    const { sink, destination } = await open();
    sink.answer(command, said);
    expect(await destination.send(exampleNotification(), signal)).toEqual({ type, why: `the mail server 127.0.0.1:${sink.port} answered "${said}"` });
    expect(sink.mails).toEqual([]);
  });

  test.each(['CONNECT', 'EHLO', 'END'])('to %s not at all is given up at the time limit, and tried again', async (command) => {
    const { sink, destination } = await open({ deps: { deadlineMs: 200 } });
    sink.answer(command, 'hang');
    expect(await destination.send(exampleNotification(), signal)).toEqual({ type: 'retry', why: `the mail server 127.0.0.1:${sink.port} took longer than 0.2 s` });
  });

  test.each(['CONNECT', 'DATA', 'END'])('to %s by cutting the connection is tried again', async (command) => {
    const { sink, destination } = await open();
    sink.answer(command, 'reset');
    expect(await destination.send(exampleNotification(), signal)).toMatchObject({ type: 'retry', why: expect.stringContaining(`127.0.0.1:${sink.port} cannot be reached`) });
  });

  test('no more is tried again', async () => {
    const { sink, destination } = await open();
    await sink[Symbol.asyncDispose]();
    expect(await destination.send(exampleNotification(), signal)).toEqual({ type: 'retry', why: `the mail server 127.0.0.1:${sink.port} cannot be reached: ECONNREFUSED` });
  });

  test('slowly is not waited for once sending is stopped', async () => {
    const { sink, destination } = await open();
    sink.answer('DATA', 'hang');
    const stop = new AbortController();
    const sending = destination.send(exampleNotification(), stop.signal);
    await waitFor(() => sink.commands.includes('DATA'), { what: 'DATA' });
    stop.abort();
    expect(await sending).toEqual({ type: 'retry', why: `the mail server 127.0.0.1:${sink.port} was not waited for: sending was stopped` });
  });
});

describe('a login', () => {
  test.each([
    ['starttls', { certificate, offersLogin: true }],
    ['tls', { certificate, offersLogin: true, isTlsOnly: true }],
  ] as const)('is made over %s, with the password that is in the file now', async (tls, sinkOptions) => {
    const passwordFile = await secretFile('first-password\n');
    const { sink, destination } = await open({ sink: sinkOptions, config: { tls, user: 'setpoint', passwordFile }, deps: { ca: authority.cert } });
    expect(await destination.send(exampleNotification(), signal)).toMatchObject({ type: 'sent' });
    await writeFile(passwordFile, 'second-password');
    expect(await destination.send(exampleNotification(), signal)).toMatchObject({ type: 'sent' });
    expect(sink.mails.map(({ login, isEncrypted }) => [login, isEncrypted])).toEqual([
      ['setpoint:first-password', true],
      ['setpoint:second-password', true],
    ]);
  });

  test.each([
    ['its certificate is of an unknown authority', { certificate, offersLogin: true }, 'starttls'],
    ['its certificate is of an unknown authority from the first byte on', { certificate, offersLogin: true, isTlsOnly: true }, 'tls'],
    ['it does not offer to encrypt', { offersLogin: true }, 'starttls'],
  ] as const)('is not made where %s', async (_why, sinkOptions, tls) => {
    const { sink, destination } = await open({ sink: sinkOptions, config: { tls, user: 'setpoint', passwordFile: await secretFile('a-password') } });
    expect(await destination.send(exampleNotification(), signal)).toMatchObject({ type: 'retry' });
    expect(sink.commands.filter((command) => command === 'AUTH' || command === 'MAIL')).toEqual([]);
  });

  test('that is wrong is refused, and the password is not told of', async () => {
    const canaries = createCanaries();
    const password = canaries.add('password');
    const { sink, destination } = await open({ sink: { offersLogin: true }, config: { user: 'setpoint', passwordFile: await secretFile(password) } });
    sink.answer('AUTH', `535 5.7.8 ${password} is wrong, and so is ${Buffer.from(`\0setpoint\0${password}`).toString('base64')}`);
    const outcome = await destination.send(exampleNotification(), signal);
    expect(outcome).toMatchObject({ type: 'refused', why: expect.stringContaining('535 5.7.8') });
    expect(canaries.foundIn(JSON.stringify(outcome))).toEqual([]);
  });

  test('waits for a password file that is missing', async () => {
    const { sink, destination } = await open({ config: { user: 'setpoint', passwordFile: 'nowhere' } });
    expect(await destination.send(exampleNotification(), signal)).toEqual({ type: 'retry', why: 'the secret in nowhere cannot be read: there is no such file or folder' });
    expect(sink.commands).toEqual([]);
  });
});
