import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readSecret, redact } from '../../../src/notify/secret.ts';
import { createCanaries } from '../../support/canaries.ts';
import { tempFolder } from '../../support/temp-folder.ts';

async function file(): Promise<string> {
  const folder = await tempFolder();
  onTestFinished(() => folder.remove());
  return join(folder.path, 'token');
}

describe('a secret', () => {
  test('is read anew each time, without the space around it', async () => {
    const path = await file();
    await writeFile(path, ' first\n');
    expect(await readSecret(path)).toEqual({ type: 'read', value: 'first' });
    await writeFile(path, 'second\r\n');
    expect(await readSecret(path)).toEqual({ type: 'read', value: 'second' });
  });

  test('whose file is gone is worth another try, and the file is named', async () => {
    const path = await file();
    await writeFile(path, 'first');
    await readSecret(path);
    await rm(path);
    expect(await readSecret(path)).toEqual({ type: 'retry', why: `the secret in ${path} cannot be read: there is no such file or folder` });
  });

  test.each([
    ['empty', ' \n', 'is empty'],
    ['far too large', 'x'.repeat(70_000), 'is 70000 bytes long; 65536 are allowed'],
  ])('that is %s is worth another try, and its content is not told', async (_what, content, why) => {
    const path = await file();
    await writeFile(path, content);
    expect(await readSecret(path)).toEqual({ type: 'retry', why: `the secret in ${path} ${why}` });
  });

  test('whose file is a folder is worth another try', async () => {
    const path = await file();
    await mkdir(path);
    expect(await readSecret(path)).toEqual({ type: 'retry', why: `the secret in ${path} cannot be read: it is a folder, and a file was expected` });
  });
});

describe('a text without secrets', () => {
  test.each(['word', 'signs', 'digits', 'lines', 'json'] as const)('has none of them in any form: %s', (shape) => {
    const canaries = createCanaries();
    const secret = canaries.add('token', shape).trim();
    const bytes = Buffer.from(secret);
    const forms = [secret, encodeURIComponent(secret), JSON.stringify(secret), bytes.toString('base64'), bytes.toString('base64url'), bytes.toString('hex')];
    expect(canaries.foundIn(forms.join(' '))).not.toEqual([]);
    expect(canaries.foundIn(redact(forms.join(' | '), [secret]))).toEqual([]);
  });

  test('has nothing of a secret URL but its host', () => {
    const url = 'https://hooks.example.com/services/T0000001/B0000002/abcdefgh?sig=12345678';
    const text = `POST /services/T0000001/B0000002/abcdefgh?sig=12345678 at hooks.example.com: abcdefgh of T0000001 with 12345678, ${url}`;
    expect(redact(text, [url])).toBe('POST *** at hooks.example.com: *** of *** with ***, ***');
  });

  test('is the text itself where there are none', () => {
    expect(redact('hooks.example.com answered 500', ['s3cr3t-t0ken'])).toBe('hooks.example.com answered 500');
  });

  test('keeps words that are as short as a part of a URL', () => {
    expect(redact('the API answered 500', ['https://hooks.example.com/the/API'])).toBe('the API answered 500');
  });
});
