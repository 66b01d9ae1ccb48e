import type { GitHttpRequest, GitHttpResponse, HttpClient } from 'isomorphic-git';
import { Agent, request } from 'undici';

const timeoutMs = 60_000;
const maxAnswerBytes = 1024 ** 3;

/** isomorphic-git knows no time limits and no cancelling: both are here, where every byte passes. */
export function createHttpClient(signal: AbortSignal): HttpClient & { close(): Promise<void> } {
  const agent = new Agent({ maxResponseSize: maxAnswerBytes });
  return {
    async request({ url, method = 'GET', headers = {}, body }: GitHttpRequest): Promise<GitHttpResponse> {
      const response = await request(url, {
        method: method as 'GET' | 'POST',
        headers,
        body: body === undefined ? null : Buffer.concat(await Array.fromAsync(body)),
        dispatcher: agent,
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      });
      return {
        url,
        method,
        statusCode: response.statusCode,
        statusMessage: '',
        headers: Object.fromEntries(Object.entries(response.headers).map(([name, value]) => [name, String(value)])),
        body: response.body[Symbol.asyncIterator](),
      };
    },
    close: () => agent.close(),
  };
}
