// A real admission webhook: an HTTPS server on loopback that the test's control plane calls, for one namespace only.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseJson, stringifyJson, valueAt, type Json, type JsonObject, type KubeObject, type PatchOperation } from '../../src/model/index.ts';
import type { TestCluster } from './cluster/test-cluster.ts';
import { openRawApi, type RawApi } from './raw-api.ts';
import { waitFor } from './wait-for.ts';

export interface AdmissionRequest {
  readonly operation: string;
  readonly dryRun: boolean;
  readonly object: KubeObject;
}

/** `fail`: an answer that is none (500). `hang`: no answer at all. */
export type AdmissionAnswer =
  | { readonly type: 'allow'; readonly patch?: readonly PatchOperation[] }
  | { readonly type: 'deny'; readonly message: string }
  | { readonly type: 'fail' }
  | { readonly type: 'hang' };

interface WebhookOptions {
  readonly type: 'mutating' | 'validating';
  /** The only namespace it is called for. */
  readonly namespace: string;
  readonly rules: readonly { readonly apiGroups: readonly string[]; readonly resources: readonly string[] }[];
  readonly sideEffects?: 'None' | 'NoneOnDryRun';
  readonly timeoutSeconds?: number;
  /** Whatever is asked waits for it. */
  readonly answer: (request: AdmissionRequest) => AdmissionAnswer | Promise<AdmissionAnswer>;
}

export interface AdmissionWebhook extends AsyncDisposable {
  /** What it is called in the messages of the server. */
  readonly name: string;
  readonly requests: readonly AdmissionRequest[];
}

/** Registered and in force when this returns. */
export async function startAdmissionWebhook(cluster: TestCluster, options: WebhookOptions): Promise<AdmissionWebhook> {
  const certificates = join(cluster.description.folder, 'certificates');
  const [cert, key] = await Promise.all([readFile(join(certificates, 'apiserver.crt')), readFile(join(certificates, 'apiserver.key'))]);
  const requests: AdmissionRequest[] = [];
  let isInForce = false;
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const review = parseJson(await text(request));
    // The server adds its timeout to the address.
    const isProbe = request.url?.startsWith('/probe') === true;
    isInForce ||= isProbe;
    if (!isProbe) requests.push(requestOf(review));
    const answer: AdmissionAnswer = isProbe ? { type: 'allow' } : await options.answer(requestOf(review));
    if (answer.type === 'hang') return;
    if (answer.type === 'fail') response.writeHead(500).end('the webhook is broken');
    else response.writeHead(200, { 'content-type': 'application/json' }).end(stringifyJson(reviewOf(valueAt(review, ['request', 'uid']) ?? null, answer)));
  };
  const server = createServer({ cert, key }, (request, response) => {
    take(request, response).catch(() => request.socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  const api = await openRawApi(cluster.kubeconfig);
  const name = `hook-${randomBytes(4).toString('hex')}.example.com`;
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const path = `/apis/admissionregistration.k8s.io/v1/${options.type}webhookconfigurations/${name}`;
  const stop = async (): Promise<void> => {
    await api.send('DELETE', path);
    await close(server);
    await api[Symbol.asyncDispose]();
  };
  try {
    const configuration = configurationOf({ ...options, name, url, caBundle: cert.toString('base64') });
    const answer = await api.send('PATCH', `${path}?fieldManager=test-setup`, { type: 'application/apply-patch+yaml', text: configuration });
    if (answer.status >= 300) throw new Error(`the webhook was not registered: ${answer.text}`);
    await waitFor(() => probe(api, options.namespace, name).then(() => isInForce), { what: 'the webhook to be called' });
  } catch (error) {
    await stop();
    throw error;
  }
  return { name, requests, [Symbol.asyncDispose]: stop };
}

/** The API server reads webhook configurations through a watch of its own: what is stored is not yet in force. */
async function probe(api: RawApi, namespace: string, name: string): Promise<void> {
  const manifest = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels: { probe: name } } };
  const path = `/api/v1/namespaces/${namespace}/configmaps/${name}?dryRun=All&fieldManager=probe`;
  await api.send('PATCH', path, { type: 'application/apply-patch+yaml', text: JSON.stringify(manifest) });
}

interface Registration extends WebhookOptions {
  readonly name: string;
  readonly url: string;
  readonly caBundle: string;
}

function configurationOf({ type, namespace, rules, sideEffects = 'None', timeoutSeconds = 10, name, url, caBundle }: Registration): string {
  const everywhere = { apiVersions: ['*'], operations: ['CREATE', 'UPDATE'], scope: '*' };
  const common = {
    ...{ sideEffects, timeoutSeconds, admissionReviewVersions: ['v1'], failurePolicy: 'Fail' },
    namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
  };
  return JSON.stringify({
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: type === 'mutating' ? 'MutatingWebhookConfiguration' : 'ValidatingWebhookConfiguration',
    metadata: { name },
    webhooks: [
      { ...common, name, clientConfig: { url: `${url}/`, caBundle }, rules: rules.map((rule) => ({ ...everywhere, ...rule })) },
      {
        ...common,
        name: `probe.${name}`,
        clientConfig: { url: `${url}/probe`, caBundle },
        objectSelector: { matchLabels: { probe: name } },
        rules: [{ ...everywhere, apiGroups: [''], resources: ['configmaps'] }],
      },
    ],
  });
}

function requestOf(review: Json): AdmissionRequest {
  return {
    operation: valueAt(review, ['request', 'operation']) as string,
    dryRun: valueAt(review, ['request', 'dryRun']) === true,
    object: valueAt(review, ['request', 'object']) as KubeObject,
  };
}

function reviewOf(uid: Json, answer: Extract<AdmissionAnswer, { type: 'allow' | 'deny' }>): JsonObject {
  const review = (response: JsonObject): JsonObject => ({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response: { uid, ...response } });
  if (answer.type === 'deny') return review({ allowed: false, status: { code: 403, message: answer.message } });
  if (answer.patch === undefined) return review({ allowed: true });
  const patch = Buffer.from(stringifyJson(answer.patch as unknown as Json)).toString('base64');
  return review({ allowed: true, patchType: 'JSONPatch', patch });
}

async function close(server: Server): Promise<void> {
  const closed = once(server.close(), 'close');
  server.closeAllConnections();
  await closed;
}
