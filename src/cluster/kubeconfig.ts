import { SetpointError } from '../model/index.ts';
import { createCredentials, type Credentials } from './auth/credentials.ts';
import type { Source } from './auth/identity.ts';
import { readKubeconfig, type KubeconfigOptions } from './auth/read-kubeconfig.ts';

/** How to reach one cluster as one user. */
export interface Connection {
  readonly server: string;
  readonly context: string;
  /** The namespace that the context names, if it does. */
  readonly namespace: string | undefined;
  /** With its user and password, if it has them. */
  readonly proxyUrl: string | undefined;
  /** False where the kubeconfig forbids it. */
  readonly compression: boolean;
  /**
   * Asked for each request: tokens and certificates are rotated under a running agent. Given what the server has just answered
   * 401 to, it gets others; the same ones where there are no others.
   */
  readonly credentials: Source<Credentials>;
}

export async function loadKubeconfig(options: KubeconfigOptions): Promise<Connection> {
  const found = readKubeconfig(options);
  const { cluster, context, namespace } = found;
  return {
    server: serverUrl(cluster.server, context),
    context,
    namespace,
    proxyUrl: proxyUrl(cluster.proxyUrl, context),
    compression: cluster.raw['disable-compression'] !== true,
    credentials: createCredentials(found),
  };
}

function serverUrl(server: string, context: string): string {
  // As in client-go a server without a scheme is a plain one.
  const url = server.includes('://') ? server : `http://${server}`;
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) {
    throw new SetpointError('KubeconfigInvalid', `the server of context ${context} must be an http or https URL, and is ${server}`);
  }
  return url;
}

/** The two spellings of SOCKS 5 differ in who looks up the name: here it is always the proxy. */
function proxyUrl(proxy: string | undefined, context: string): string | undefined {
  // The library has null where its types say undefined.
  if (!proxy) return undefined;
  const protocol = URL.parse(proxy)?.protocol ?? '';
  if (!/^(?:https?|socks5h?):$/.test(protocol)) {
    throw new SetpointError('KubeconfigInvalid', `the proxy-url of context ${context} must be an http, https or socks5 URL, and is ${protocol || 'none'}`);
  }
  return protocol === 'socks5h:' ? proxy.replace('socks5h:', 'socks5:') : proxy;
}
