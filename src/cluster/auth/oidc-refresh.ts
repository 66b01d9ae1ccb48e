import { readFile } from 'node:fs/promises';
import { Agent, request, type Dispatcher } from 'undici';
import { isList, isObject, parseJsonOrUndefined, type Json, type JsonObject } from '../../model/index.ts';

/** Us, as the login server knows us; what the kubeconfig does not say is empty. */
export interface OidcClient {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly authorityFile: string;
  readonly authorityData: string;
}

interface Tokens {
  readonly idToken: string;
  /** Undefined where the old one stays good. */
  readonly refreshToken: string | undefined;
}

/** In the words of the login server; never what we sent it. */
export class OidcRefusal extends Error {}

const timeoutMs = 20_000;

export async function refreshOidc(client: OidcClient, refreshToken: string): Promise<Tokens> {
  const { issuer, clientId } = client;
  if (issuer === '' || clientId === '') throw new OidcRefusal('the kubeconfig has no idp-issuer-url or no client-id');
  const ca = await authorityOf(client);
  const dispatcher = new Agent({ connect: { ...(ca && { ca }) } });
  try {
    const discovered = await ask({ url: `${issuer}/.well-known/openid-configuration`, dispatcher });
    const endpoint = discovered['token_endpoint'];
    if (typeof endpoint !== 'string' || !URL.canParse(endpoint)) throw new OidcRefusal('its discovery document names no token_endpoint');
    if (issuer.startsWith('https:') && !endpoint.startsWith('https:')) throw new OidcRefusal('its token_endpoint is not https');
    const form = tokenRequest(client, refreshToken, discovered['token_endpoint_auth_methods_supported']);
    const answer = await ask({ url: endpoint, dispatcher, form });
    const { id_token: idToken, refresh_token: next } = answer;
    if (typeof idToken !== 'string') throw new OidcRefusal('it gave no id_token: was the scope openid asked for at login?');
    return { idToken, refreshToken: typeof next === 'string' && next !== '' ? next : undefined };
  } finally {
    await dispatcher.close();
  }
}

interface Form {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

function tokenRequest({ clientId, clientSecret }: OidcClient, refreshToken: string, methods: Json | undefined): Form {
  const form = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: refreshToken });
  const takesBasic = !isList(methods) || methods.includes('client_secret_basic');
  if (clientSecret !== '' && takesBasic) return { body: form.toString(), headers: { authorization: basic(clientId, clientSecret) } };
  form.set('client_id', clientId);
  if (clientSecret !== '') form.set('client_secret', clientSecret);
  return { body: form.toString(), headers: {} };
}

/** RFC 6749, 2.3.1: both are form-encoded before they are joined. */
function basic(id: string, secret: string): string {
  const encode = (text: string): string => encodeURIComponent(text).replaceAll('%20', '+');
  return `Basic ${Buffer.from(`${encode(id)}:${encode(secret)}`).toString('base64')}`;
}

interface Question {
  readonly url: string;
  readonly dispatcher: Dispatcher;
  readonly form?: Form;
}

async function ask({ url, dispatcher, form }: Question): Promise<JsonObject> {
  const { statusCode, body } = await request(url, {
    dispatcher,
    method: form === undefined ? 'GET' : 'POST',
    headers: { accept: 'application/json', ...(form && { 'content-type': 'application/x-www-form-urlencoded', ...form.headers }) },
    body: form?.body ?? null,
    signal: AbortSignal.timeout(timeoutMs),
  });
  const answer = parseJsonOrUndefined(await body.text());
  if (statusCode !== 200 || !isObject(answer)) throw new OidcRefusal(`${new URL(url).pathname} answered ${statusCode}${reasonOf(answer)}`);
  return answer;
}

function reasonOf(answer: Json | undefined): string {
  if (!isObject(answer)) return '';
  const parts = [answer['error'], answer['error_description']].filter((part) => typeof part === 'string');
  return parts.length === 0 ? '' : ` (${parts.join(': ').slice(0, 200)})`;
}

function authorityOf({ authorityData, authorityFile }: OidcClient): Promise<Buffer> | Buffer | undefined {
  if (authorityData !== '') return Buffer.from(authorityData, 'base64');
  return authorityFile === '' ? undefined : readFile(authorityFile);
}
