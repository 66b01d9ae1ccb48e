import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { RequestOptions } from 'node:https';
import { SetpointError } from '../model/index.ts';

/** How to reach one cluster as one user. */
export interface Connection {
  readonly server: string;
  readonly context: string;
  /** The namespace that the context names, if it does. */
  readonly namespace: string | undefined;
  readonly proxyUrl: string | undefined;
  /** Asked anew for each request: tokens and certificates are rotated under a running agent. */
  credentials(): Promise<Credentials>;
}

export interface Credentials {
  readonly headers: Readonly<Record<string, string>>;
  readonly tls: Pick<RequestOptions, 'ca' | 'cert' | 'key' | 'rejectUnauthorized' | 'servername'>;
}

interface KubeconfigOptions {
  readonly file?: string | undefined;
  readonly context?: string | undefined;
}

/** Finds the kubeconfig as kubectl does: the flag, KUBECONFIG, ~/.kube/config, the pod's own account. */
export async function loadKubeconfig({ file, context }: KubeconfigOptions): Promise<Connection> {
  // Half a second to import: `--help` and usage errors do not pay for it.
  const { KubeConfig } = await import('@kubernetes/client-node');
  const config = new KubeConfig();
  const where = file ?? process.env['KUBECONFIG'] ?? join(homedir(), '.kube', 'config');
  if (file !== undefined && !existsSync(file)) {
    throw new SetpointError('KubeconfigInvalid', `no kubeconfig at ${file}: check --kubeconfig`);
  }
  try {
    if (file === undefined) config.loadFromDefault();
    else config.loadFromFile(file);
  } catch (cause) {
    throw new SetpointError('KubeconfigInvalid', `the kubeconfig ${where} cannot be read: ${(cause as Error).message}`, { cause });
  }
  if (context !== undefined) {
    const known = config.getContexts().map(({ name }) => name);
    if (!known.includes(context)) {
      throw new SetpointError('KubeconfigInvalid', `${where} has no context ${context}; it has ${known.join(', ') || 'none'}`);
    }
    config.setCurrentContext(context);
  }
  const cluster = config.getCurrentCluster();
  if (cluster === null || !config.getCurrentContext()) {
    throw new SetpointError('KubeconfigInvalid', `${where} names no current context: give --context, or kubectl config use-context`);
  }
  // What the library falls back to when it finds nothing at all.
  if (cluster.server === 'http://localhost:8080' && file === undefined) {
    throw new SetpointError('KubeconfigInvalid', `no kubeconfig found (${where}): give --kubeconfig, or set KUBECONFIG`);
  }
  const { server } = cluster;
  return {
    server,
    context: config.getCurrentContext(),
    namespace: config.getContextObject(config.getCurrentContext())?.namespace,
    proxyUrl: cluster.proxyUrl,
    async credentials() {
      const options: RequestOptions = { headers: {} };
      try {
        await config.applyToHTTPSOptions(options);
      } catch (cause) {
        const message = `the credentials of context ${config.getCurrentContext()} cannot be had: ${(cause as Error).message}`;
        throw new SetpointError('KubeconfigInvalid', message, { cause });
      }
      return { headers: headersOf(options), tls: tlsOf(options) };
    },
  };
}

function headersOf({ headers, auth }: RequestOptions): Record<string, string> {
  const basic = typeof auth === 'string' ? { authorization: `Basic ${Buffer.from(auth).toString('base64')}` } : {};
  const named = Object.entries(headers ?? {}).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  return { ...basic, ...Object.fromEntries(named) };
}

function tlsOf(options: RequestOptions): Credentials['tls'] {
  const names = ['ca', 'cert', 'key', 'rejectUnauthorized', 'servername'] as const;
  return Object.fromEntries(names.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]]])));
}
