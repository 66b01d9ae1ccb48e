// The API server over plain HTTPS, in lines of JSON: a witness that shares no code with the product.
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { Agent, request } from 'node:https';
import type { IncomingMessage } from 'node:http';

export interface WatchEvent {
  readonly type: string;
  readonly object: unknown;
}

export interface ApiClient extends AsyncDisposable {
  send(method: 'GET' | 'POST' | 'PATCH', path: string, body?: { readonly type: string; readonly content: unknown }): Promise<unknown>;
  /** All events of a collection from now on, each with the moment it arrived. */
  watch(path: string, onEvent: (event: WatchEvent, at: number) => void): Promise<void>;
}

/** Requests at once; the connections stay open. */
export const connections = 20;

interface Kubeconfig {
  readonly clusters: readonly { readonly cluster: { readonly server: string; readonly 'certificate-authority-data': string } }[];
  readonly users: readonly { readonly user: { readonly token: string } }[];
}

interface Ask {
  readonly method: string;
  readonly path: string;
  readonly agent: Agent;
  readonly type?: string;
  readonly content?: string;
  readonly signal?: AbortSignal;
}

/** For kubeconfigs as the test harness writes them: JSON, one cluster, one token. */
export async function openApiClient(kubeconfig: string, onTrouble: (error: Error) => void): Promise<ApiClient> {
  const { clusters, users } = JSON.parse(await readFile(kubeconfig, 'utf8')) as Kubeconfig;
  const [cluster, user] = [clusters[0]?.cluster, users[0]?.user];
  if (cluster === undefined || user === undefined) throw new Error(`${kubeconfig} has no cluster or no user`);
  const { hostname, port } = new URL(cluster.server);
  const agent = new Agent({ keepAlive: true, maxSockets: connections, ca: Buffer.from(cluster['certificate-authority-data'], 'base64') });
  const watches = new Agent({ ca: agent.options.ca });
  const ending = new AbortController();

  async function ask({ type, content, ...options }: Ask): Promise<IncomingMessage> {
    const headers = { ...(type !== undefined && { 'content-type': type }), authorization: `Bearer ${user?.token}`, accept: 'application/json', 'user-agent': 'bench-witness' };
    const asked = request({ ...options, host: hostname, port, headers }).end(content);
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    return answer.setEncoding('utf8');
  }

  const send: ApiClient['send'] = async (method, path, body) => {
    const answer = await ask({ method, path, agent, ...(body !== undefined && { type: body.type, content: JSON.stringify(body.content) }) });
    const text = (await answer.toArray()).join('');
    if ((answer.statusCode ?? 0) >= 300) throw new Error(`${method} ${path} was answered with ${answer.statusCode}: ${text}`);
    return JSON.parse(text);
  };

  return {
    send,
    async watch(path, onEvent) {
      const { metadata } = (await send('GET', `${path}?limit=1`)) as { readonly metadata: { readonly resourceVersion: string } };
      const answer = await ask({ method: 'GET', path: `${path}?watch=1&resourceVersion=${metadata.resourceVersion}`, agent: watches, signal: ending.signal });
      if (answer.statusCode !== 200) throw new Error(`the watch of ${path} was answered with ${answer.statusCode}`);
      let rest = '';
      answer.on('data', (text: string) => {
        const at = performance.now();
        const lines = (rest + text).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) onEvent(JSON.parse(line) as WatchEvent, at);
      });
      answer.once('error', () => undefined);
      answer.once('close', () => {
        if (!ending.signal.aborted) onTrouble(new Error(`the watch of ${path} ended`));
      });
    },
    [Symbol.asyncDispose]() {
      ending.abort();
      agent.destroy();
      watches.destroy();
      return Promise.resolve();
    },
  };
}
