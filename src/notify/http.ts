import { lookup as lookupName } from 'node:dns/promises';
import { rootCertificates } from 'node:tls';
import { Agent, request, type Dispatcher } from 'undici';
import { setSystemTimer, startLimit, type Limit, type SetTimer } from './deadline.ts';
import { checkedLookup, checkUrl, ForbiddenAddress, type Resolve } from './checked-url.ts';
import { createEgressGuard } from './egress-guard.ts';

export interface HttpRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** POST where it is absent. */
  readonly method?: 'POST' | 'PATCH' | 'PUT';
}

/** Names the host and never more of the URL: the rest of it may be a secret. */
export type HttpResult =
  | {
      readonly type: 'answer';
      readonly host: string;
      readonly status: number;
      /** By lower-case name. */
      readonly headers: Readonly<Record<string, string>>;
      /** The first 64 KiB at most, and less where the rest did not come in time. */
      readonly text: string;
    }
  /** There was no answer; another time there may be. */
  | { readonly type: 'failed'; readonly why: string }
  /** Nothing was sent, and with this URL nothing ever will be. */
  | { readonly type: 'refused'; readonly why: string };

export interface Http {
  post(asked: HttpRequest, signal: AbortSignal): Promise<HttpResult>;
  close(): Promise<void>;
}

export interface HttpOptions {
  /** Hosts whose addresses may be private, addresses, and ranges of them. */
  readonly allowPrivate?: readonly string[];
  /** PEM; these authorities are trusted besides the usual ones. */
  readonly ca?: string;
  /** For everything: the name, the connection, the answer. */
  readonly deadlineMs?: number;
  readonly setTimer?: SetTimer;
  readonly resolve?: Resolve;
}

export const sinkDeadlineMs = 10_000;
const maxTextBytes = 64 * 1024;

const resolveByDns: Resolve = (host) => lookupName(host, { all: true });

/** Requests to the addresses that were checked and to no others. Redirects are not followed. */
export function createHttp(options: HttpOptions = {}): Http {
  const { allowPrivate = [], ca, deadlineMs = sinkDeadlineMs, setTimer = setSystemTimer, resolve = resolveByDns } = options;
  const guard = createEgressGuard(allowPrivate);
  const agent = new Agent({
    allowH2: false,
    connect: { ...(ca !== undefined && { ca: [...rootCertificates, ca] }), lookup: checkedLookup(guard, resolve), timeout: deadlineMs },
  });
  return {
    async post(asked, signal) {
      const checked = checkUrl(asked.url, guard);
      if (checked.type === 'refused') return checked;
      const { url } = checked;
      using limit = startLimit({ ms: deadlineMs, setTimer }, signal);
      try {
        const answer = await Promise.race([ask({ asked, url, agent, limit }), limit.over]);
        if (answer === 'late') return { type: 'failed', why: `${url.host} did not answer within ${deadlineMs / 1000} s` };
        if (answer === 'stopped') return { type: 'failed', why: `${url.host} was not waited for: sending was stopped` };
        return { type: 'answer', host: url.host, status: answer.statusCode, headers: headersOf(answer), text: await textOf(answer) };
      } catch (error) {
        return { type: 'failed', why: `${url.host} cannot be reached: ${reasonOf(error)}` };
      }
    },
    close: () => agent.destroy(),
  };
}

interface Asking {
  readonly asked: HttpRequest;
  readonly url: URL;
  readonly agent: Agent;
  readonly limit: Limit;
}

function ask({ asked, url, agent, limit }: Asking): Promise<Dispatcher.ResponseData> {
  return request(url, {
    method: asked.method ?? 'POST',
    headers: { 'user-agent': 'setpoint', ...asked.headers },
    body: asked.body,
    dispatcher: agent,
    signal: limit.signal,
  });
}

function headersOf({ headers }: Dispatcher.ResponseData): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]));
}

/** What is cut within the text, also by the time limit, takes nothing back: the status has been said. */
async function textOf({ body }: Dispatcher.ResponseData): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk.subarray(0, maxTextBytes - length));
      length += chunk.length;
      if (length >= maxTextBytes) break;
    }
  } catch {
    // What came before it is what there is.
  }
  body.destroy();
  return Buffer.concat(chunks).toString();
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was cut',
  EPIPE: 'the connection was cut',
  ENOTFOUND: 'its host name is not known',
  EAI_AGAIN: 'its host name could not be looked up',
  EHOSTUNREACH: 'there is no route to it',
  ENETUNREACH: 'there is no route to it',
  ETIMEDOUT: 'it did not answer in time',
  UND_ERR_CONNECT_TIMEOUT: 'it did not answer in time',
  UND_ERR_SOCKET: 'the connection was cut',
  UND_ERR_HEADERS_OVERFLOW: 'the headers of its answer are too large',
  HPE_INVALID_CONSTANT: 'its answer is no HTTP',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is not signed by a trusted authority',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is not signed by a trusted authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is not signed by a trusted authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate is not signed by a trusted authority',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host name',
};

/** Never the message of the error: nobody says what it quotes. */
function reasonOf(error: unknown): string {
  if (error instanceof ForbiddenAddress) return error.message;
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  const { code, name } = error as NodeJS.ErrnoException;
  return reasons[code ?? ''] ?? code ?? name;
}
