// The API server without the product's own client: for changes that somebody else makes, and for asking as a witness.
import { readFile } from 'node:fs/promises';
import { Agent, request } from 'undici';

export interface RawAnswer {
  readonly status: number;
  readonly text: string;
}

export interface RawApi extends AsyncDisposable {
  send(method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE', path: string, body?: { readonly type: string; readonly text: string }): Promise<RawAnswer>;
}

interface Kubeconfig {
  readonly clusters: readonly { readonly cluster: { readonly server: string; readonly 'certificate-authority-data'?: string } }[];
  readonly users: readonly { readonly user: { readonly token: string } }[];
}

/** For kubeconfigs as the test harness writes them: JSON, one cluster, one token. */
export async function openRawApi(kubeconfig: string): Promise<RawApi> {
  const { clusters, users } = JSON.parse(await readFile(kubeconfig, 'utf8')) as Kubeconfig;
  const [cluster, user] = [clusters[0]?.cluster, users[0]?.user];
  if (cluster === undefined || user === undefined) throw new Error(`${kubeconfig} has no cluster or no user`);
  const ca = Buffer.from(cluster['certificate-authority-data'] ?? '', 'base64');
  const dispatcher = new Agent({ connections: 4, connect: { ca } });
  return {
    async send(method, path, body) {
      const answer = await request(cluster.server + path, {
        method,
        dispatcher,
        headers: { authorization: `Bearer ${user.token}`, accept: 'application/json', ...(body === undefined ? {} : { 'content-type': body.type }) },
        body: body?.text ?? null,
      });
      return { status: answer.statusCode, text: await answer.body.text() };
    },
    [Symbol.asyncDispose]: () => dispatcher.close(),
  };
}
