import { spawn } from 'node:child_process';
import { isObject, parseJsonOrUndefined, SetpointError, type Json } from '../../model/index.ts';
import type { ExecPlugin } from './exec-plugin.ts';
import { createHeldIdentity, type Granted } from './held-identity.ts';
import type { Identity, Source } from './identity.ts';

interface Limits {
  /** A plugin that waits for a browser or a smart card that is not there would wait for ever. */
  readonly timeMs: number;
  readonly outputBytes: number;
}

const defaultLimits: Limits = { timeMs: 60_000, outputBytes: 1024 * 1024 };

interface ExecOptions {
  readonly limits?: Limits;
  readonly now?: () => number;
}

/** The identity that a credential plugin of the kubeconfig gives, as client-go runs it, but never with a terminal. */
export function createExecIdentity(plugin: ExecPlugin, { limits = defaultLimits, now = Date.now }: ExecOptions = {}): Source<Identity> {
  const { apiVersion } = plugin;
  return createHeldIdentity(async () => {
    const cluster = await plugin.clusterInfo();
    const info = { kind: 'ExecCredential', apiVersion, spec: { interactive: false, ...(cluster && { cluster }) } };
    return readCredential(plugin, await run(plugin, JSON.stringify(info), limits));
  }, now);
}

function run(plugin: ExecPlugin, info: string, { timeMs, outputBytes }: Limits): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(plugin.command, plugin.args, {
      env: { ...process.env, ...plugin.env, KUBERNETES_EXEC_INFO: info },
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
    });
    const output: Buffer[] = [];
    let size = 0;
    let complaints = '';
    const end = (failure: SetpointError | undefined): void => {
      clearTimeout(timer);
      // A grandchild may hold the pipes open after its parent is gone.
      child.kill('SIGKILL');
      child.stdout.destroy();
      child.stderr.destroy();
      if (failure === undefined) resolve(Buffer.concat(output).toString('utf8'));
      else reject(failure);
    };
    const timer = setTimeout(() => end(failed(plugin, `it did not end within ${timeMs / 1000} s`)), timeMs);
    child.stdout.on('data', (piece: Buffer) => {
      size += piece.length;
      output.push(piece);
      if (size > outputBytes) end(failed(plugin, `it wrote more than ${outputBytes} bytes`));
    });
    child.stderr.setEncoding('utf8').on('data', (piece: string) => {
      complaints = (complaints + piece).slice(-4096);
    });
    child.once('error', (error) => end(notStarted(plugin, error)));
    child.once('close', (code, signal) => {
      if (code === 0) end(undefined);
      else end(failed(plugin, `it ended with ${signal ?? `code ${code}`}${quote(complaints, plugin)}`));
    });
  });
}

function readCredential(plugin: ExecPlugin, output: string): Granted<Identity> {
  const answer = parseJsonOrUndefined(output);
  if (!isObject(answer) || answer['kind'] !== 'ExecCredential') throw failed(plugin, 'it did not write an ExecCredential as JSON');
  if (answer['apiVersion'] !== plugin.apiVersion) {
    throw failed(plugin, `it was asked for ${plugin.apiVersion} and answered in ${printable(answer['apiVersion'])}`);
  }
  const status = isObject(answer['status']) ? answer['status'] : {};
  const { token, clientCertificateData: cert, clientKeyData: key, expirationTimestamp: end } = status;
  const certificate = typeof cert === 'string' && typeof key === 'string' && cert !== '' && key !== '' ? { cert, key } : undefined;
  const authorization = typeof token === 'string' && token !== '' ? `Bearer ${token.trim()}` : undefined;
  if (certificate === undefined && authorization === undefined) {
    throw failed(plugin, 'its ExecCredential has neither a token nor a certificate with its key');
  }
  const expiresAt = typeof end === 'string' ? Date.parse(end) : undefined;
  if (Number.isNaN(expiresAt)) throw failed(plugin, `its expirationTimestamp is no time: ${printable(end)}`);
  return { value: { ...(certificate && { certificate }), ...(authorization !== undefined && { authorization }) }, expiresAt };
}

// Arguments, output and answers stay out of errors: they may hold what the plugin is to keep secret.

/** Without its cause, which lists the arguments. */
function notStarted(plugin: ExecPlugin, { code }: NodeJS.ErrnoException): SetpointError {
  const why = code === 'ENOENT' ? 'it was not found' : `it could not be started (${code ?? 'for a reason not told'})`;
  const hint = plugin.installHint === '' ? '' : `\n${plugin.installHint}`;
  return new SetpointError('KubeconfigInvalid', `${named(plugin)}: ${why}${hint}`);
}

function failed(plugin: ExecPlugin, problem: string): SetpointError {
  return new SetpointError('ClusterUnauthorized', `${named(plugin)}: ${problem}`);
}

function named({ user, command }: ExecPlugin): string {
  return `the credential plugin ${command} of user ${user}`;
}

const tokenLike = /[\w+=.-]{32,}/g;

/** The last line of what it said, without anything that may be a secret. */
function quote(complaints: string, { env }: ExecPlugin): string {
  const last = complaints.trim().split('\n').at(-1)?.trim() ?? '';
  const secrets = Object.values(env).filter((value) => value.length >= 6);
  const masked = secrets.reduce((text, secret) => text.replaceAll(secret, '***'), last).replaceAll(tokenLike, '***');
  return masked === '' ? '' : `: ${masked.slice(0, 300)}`;
}

function printable(value: Json | undefined): string {
  return typeof value === 'string' ? value.slice(0, 60) : typeof value;
}
