import { describe, expect, it } from 'vitest';
import { childFailure } from '../../../src/render/engine/binaries/child-failure.ts';
import { defaultLimits } from '../../../src/render/engine/binaries/limits.ts';
import type { ChildOutcome } from '../../../src/render/engine/binaries/run-child.ts';

const names = new Map([['setpoint-values-0.yaml', 'prod.yaml'], ['setpoint-values-1.yaml', 'values']]);
const failed = { subject: 'web', tool: 'helm', folder: '/tmp/r', names, limits: defaultLimits };
const ended = (complaints: string, end: { readonly code?: number | null; readonly signal?: NodeJS.Signals } = {}): ChildOutcome => ({
  type: 'ended',
  code: end.code === undefined ? 1 : end.code,
  signal: end.signal ?? null,
  output: '',
  complaints,
});
const missing = Object.assign(new Error('spawn'), { code: 'ENOENT' });
const long = Object.assign(new Error('spawn'), { code: 'E2BIG' });

describe('a failure of a program', () => {
  it.each<{ what: string; outcome: ChildOutcome; code: string; message: string }>([
    { what: 'its error without ours around it', outcome: ended('level=WARN msg=x\nError: bad thing\n\nUse --debug flag to render out invalid YAML\n'), code: 'RenderFailed', message: 'web: bad thing' },
    { what: 'its error once', outcome: ended('Error: bad\nmore\nError: bad\nmore\n'), code: 'RenderFailed', message: 'web: bad\nmore' },
    { what: 'paths of the repository', outcome: ended('error: /tmp/r/tree/web/a.yaml in /tmp/r/tree: no'), code: 'RenderFailed', message: 'web: web/a.yaml in .: no' },
    { what: 'the names of value files', outcome: ended('Error: failed to parse setpoint-values-0.yaml: no'), code: 'RenderFailed', message: 'web: failed to parse prod.yaml: no' },
    { what: 'words that are no error line', outcome: ended('panic: x\n'), code: 'RenderFailed', message: 'web: panic: x' },
    { what: 'an end without a word', outcome: ended('', { code: null, signal: 'SIGSEGV' }), code: 'RenderFailed', message: 'web: helm ended with SIGSEGV and said nothing' },
    { what: 'a kill by the system', outcome: ended('', { code: null, signal: 'SIGKILL' }), code: 'RenderTimeout', message: 'web: helm was killed by the system: it needed more than 120 s of processor time, or more memory than there is' },
    { what: 'too little memory', outcome: ended('fatal error: runtime: out of memory\n\ngoroutine 1\n', { code: 2 }), code: 'SourceTooLarge', message: 'web: helm needed more than 1073741824 bytes of memory' },
    { what: 'too much processor time', outcome: ended('SIGXCPU: cpu limit exceeded\n', { code: 2 }), code: 'RenderTimeout', message: 'web: helm needed more than 120 s of processor time' },
    { what: 'the deadline', outcome: { type: 'timeout' }, code: 'RenderTimeout', message: 'web: helm did not end within 90 s' },
    { what: 'too much output', outcome: { type: 'output' }, code: 'SourceTooLarge', message: 'web: helm printed more than 10485760 bytes' },
    { what: 'a program that is gone', outcome: { type: 'not-started', cause: missing }, code: 'RendererMissing', message: 'web: helm could not be started: ENOENT' },
    { what: 'a command line that is too long', outcome: { type: 'not-started', cause: long }, code: 'SourceTooLarge', message: 'web: the parameters are too long for a command line' },
  ])('tells $what', ({ outcome, code, message }) => {
    const failure = childFailure(outcome, failed);
    expect({ code: failure?.code, message: failure?.message }).toEqual({ code, message });
  });

  it('is cut where it goes on and on', () => {
    expect(childFailure(ended(`Error: ${'x'.repeat(100_000)}`), failed)?.message.length).toBeLessThan(5_000);
  });

  it('is none when it ended well', () => {
    expect(childFailure(ended('Warning: old\n', { code: 0 }), failed)).toBeUndefined();
  });
});
