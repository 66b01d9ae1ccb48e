import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { createExecIdentity } from '../../../../src/cluster/auth/exec-credential.ts';
import { readExecPlugin, type ExecPlugin } from '../../../../src/cluster/auth/exec-plugin.ts';
import type { ClusterEntry } from '../../../../src/cluster/auth/read-kubeconfig.ts';
import type { JsonObject } from '../../../../src/model/index.ts';
import { execPlugin } from '../../../support/exec-plugin.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const secret = 'eyJhbGciOiJub25lIn0.verysecretverysecretverysecret.sig';
const limits = { timeMs: 20_000, outputBytes: 1024 * 1024 };
const cluster: ClusterEntry = { name: 'c', server: 'https://c.example:6443', skipTLSVerify: false, raw: {} };

function read(exec: object, about: ClusterEntry = cluster): ExecPlugin {
  return readExecPlugin('alice', exec as JsonObject, about);
}

/** A plugin that is this one line of JavaScript. */
function script(source: string): ExecPlugin {
  return read({ apiVersion: 'client.authentication.k8s.io/v1', command: process.execPath, args: ['-e', source] });
}

test('it gets its arguments, its environment and KUBERNETES_EXEC_INFO, and no terminal', async () => {
  await using folder = await tempFolder();
  const plugin = await execPlugin(folder.path, { env: [{ name: 'PLUGIN_SETTING', value: 'on' }] });
  await plugin.answer({ token: 't' });
  const exec = { ...plugin.exec, args: [...(plugin.exec['args'] as string[]), '--cluster', 'a b;c'] };
  expect(await createExecIdentity(read(exec))()).toEqual({ authorization: 'Bearer t' });
  expect(await plugin.runs()).toEqual([
    {
      args: ['--cluster', 'a b;c'],
      env: 'on',
      info: { kind: 'ExecCredential', apiVersion: 'client.authentication.k8s.io/v1', spec: { interactive: false } },
      hasInput: false,
    },
  ]);
});

test('with provideClusterInfo it is told about the cluster, its authority from the file and its own settings', async () => {
  await using folder = await tempFolder();
  const caFile = join(folder.path, 'ca.crt');
  await writeFile(caFile, 'CERTIFICATE');
  const extension = { name: 'client.authentication.k8s.io/exec', extension: { audience: 'x' } };
  const about = { ...cluster, caFile, tlsServerName: 'name', raw: { extensions: [extension], 'disable-compression': true } };
  const plugin = await execPlugin(folder.path, { provideClusterInfo: true, apiVersion: 'client.authentication.k8s.io/v1beta1' });
  await plugin.answer({ token: 't' });
  await createExecIdentity(read(plugin.exec, about))();
  expect((await plugin.runs())[0]?.info).toEqual({
    kind: 'ExecCredential',
    apiVersion: 'client.authentication.k8s.io/v1beta1',
    spec: {
      interactive: false,
      cluster: {
        server: 'https://c.example:6443',
        'tls-server-name': 'name',
        'certificate-authority-data': Buffer.from('CERTIFICATE').toString('base64'),
        'disable-compression': true,
        config: { audience: 'x' },
      },
    },
  });
});

test('it may give a certificate, a token, or both', async () => {
  await using folder = await tempFolder();
  const plugin = await execPlugin(folder.path);
  await plugin.answer({ clientCertificateData: 'cert', clientKeyData: 'key', token: 't' });
  const certificate = { cert: 'cert', key: 'key' };
  expect(await createExecIdentity(read(plugin.exec))()).toEqual({ authorization: 'Bearer t', certificate });
});

test('it is run once for many, again a minute before the end, and again when it was refused', async () => {
  await using folder = await tempFolder();
  const plugin = await execPlugin(folder.path);
  const end = Date.UTC(2030, 0, 1);
  await plugin.answer({ token: '1', expirationTimestamp: '2030-01-01T00:00:00Z' }, { token: '2', expirationTimestamp: '2030-01-01T01:00:00.5Z' }, { token: '3' });
  let at = end - 600_000;
  const identity = createExecIdentity(read(plugin.exec), { now: () => at });
  await Promise.all(Array.from({ length: 20 }, () => identity()));
  expect(await plugin.runs()).toHaveLength(1);
  at = end - 61_000;
  expect(await identity()).toEqual({ authorization: 'Bearer 1' });
  at = end - 59_000;
  const second = await identity();
  expect(second).toEqual({ authorization: 'Bearer 2' });
  expect(await Promise.all([identity(second), identity(second)])).toEqual([{ authorization: 'Bearer 3' }, { authorization: 'Bearer 3' }]);
  expect(await plugin.runs()).toHaveLength(3);
});

test.each<[string, object, RegExp]>([
  ['without a command', { apiVersion: 'client.authentication.k8s.io/v1' }, /user alice of the kubeconfig: its exec names no command/],
  ['of an API version that is gone', { command: 'x', apiVersion: 'client.authentication.k8s.io/v1alpha1' }, /exec of x must use .*v1 or .*v1beta1, and its apiVersion is .*v1alpha1/],
  ['that asks questions', { command: 'x', apiVersion: 'client.authentication.k8s.io/v1', interactiveMode: 'Always' }, /asks questions .* nobody is here/],
])('an exec %s is refused before it is run', (_name, exec, message) => {
  expect(() => read(exec)).toThrow(message);
});

test('a command that is not there is named, with what its kubeconfig says about installing it', async () => {
  const plugin = read({ apiVersion: 'client.authentication.k8s.io/v1', command: 'no-such-plugin', installHint: '\nInstall it with:\n  brew install it\n' });
  await expect(createExecIdentity(plugin)()).rejects.toMatchObject({
    code: 'KubeconfigInvalid',
    message: 'the credential plugin no-such-plugin of user alice: it was not found\nInstall it with:\n  brew install it',
  });
});

test('its arguments are in no error, not even below it', async () => {
  const plugin = read({ apiVersion: 'client.authentication.k8s.io/v1', command: 'no-such-plugin', args: ['--secret', 's3cret'] });
  expect(inspect(await createExecIdentity(plugin)().catch((error: unknown) => error), { depth: 9 })).not.toContain('s3cret');
});

const answer = (body: object): string => `process.stdout.write(${JSON.stringify(JSON.stringify({ kind: 'ExecCredential', apiVersion: 'client.authentication.k8s.io/v1', ...body }))})`;

test.each<[string, string, string]>([
  ['says nothing', '', 'it did not write an ExecCredential as JSON'],
  ['says something else', `console.log(${JSON.stringify(secret)})`, 'it did not write an ExecCredential as JSON'],
  ['answers in another version', answer({ apiVersion: 'client.authentication.k8s.io/v1beta1' }), 'it was asked for client.authentication.k8s.io/v1 and answered in client.authentication.k8s.io/v1beta1'],
  ['gives nothing', answer({ status: {} }), 'its ExecCredential has neither a token nor a certificate with its key'],
  ['gives a certificate without a key', answer({ status: { clientCertificateData: secret } }), 'its ExecCredential has neither a token nor a certificate with its key'],
  ['gives a time that is none', answer({ status: { token: secret, expirationTimestamp: 'soon' } }), 'its expirationTimestamp is no time: soon'],
  ['fails', `console.log(${JSON.stringify(secret)}); console.error('one\\nyour session has expired'); process.exit(3)`, 'it ended with code 3: your session has expired'],
  ['fails and tells a token', `console.error('refused: ' + ${JSON.stringify(secret)}); process.exit(1)`, 'it ended with code 1: refused: ***'],
  ['is killed', `process.kill(process.pid, 'SIGTERM'); setInterval(() => {}, 1000)`, 'it ended with SIGTERM'],
])('a plugin that %s', async (_name, source, problem) => {
  await expect(createExecIdentity(script(source), { limits })()).rejects.toMatchObject({
    code: 'ClusterUnauthorized',
    message: `the credential plugin ${process.execPath} of user alice: ${problem}`,
  });
});

test('what its environment was given does not come back in an error', async () => {
  const args = ['-e', 'console.error(`bad key ${process.env.KEY}`); process.exit(1)'];
  const plugin = read({ apiVersion: 'client.authentication.k8s.io/v1', command: process.execPath, args, env: [{ name: 'KEY', value: 's3cr3t!' }] });
  await expect(createExecIdentity(plugin)()).rejects.toThrow(/: bad key \*\*\*$/);
});

test('a plugin that does not end is ended, also when it left a child with its output', async () => {
  const source = `require('node:child_process').spawn(process.execPath, ['-e', 'setTimeout(() => {}, 3000)'], { stdio: 'inherit' }); setInterval(() => {}, 1000)`;
  const identity = createExecIdentity(script(source), { limits: { ...limits, timeMs: 300 } });
  await expect(identity()).rejects.toThrow('it did not end within 0.3 s');
});

test('a plugin that does not stop writing is ended', async () => {
  const identity = createExecIdentity(script(`setInterval(() => process.stdout.write('x'.repeat(10_000)), 1)`), { limits: { ...limits, outputBytes: 50_000 } });
  await expect(identity()).rejects.toThrow('it wrote more than 50000 bytes');
});
