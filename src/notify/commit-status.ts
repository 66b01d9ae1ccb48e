import type { CommitStatusConfig, Destination, SendOutcome } from '../model/index.ts';
import { classify, waitOf } from './classify.ts';
import { statusTarget } from './commit-status-target.ts';
import { statusBody, statusHeaders } from './commit-status-body.ts';
import type { DestinationDeps } from './destination-deps.ts';
import type { HttpResult } from './http.ts';
import { messagesFor } from './messages-for.ts';
import { sendEach } from './send-each.ts';
import { singleSubject } from './single-subject.ts';

/** A mark at the commit that an application is compared with. The same mark set twice is one. */
export function createCommitStatus(config: CommitStatusConfig, deps: DestinationDeps): Destination {
  const { http, readSecret, now } = deps;
  const messageOf = messagesFor(config, deps);
  return {
    name: config.name,
    async send(notification, signal) {
      const token = await readSecret(config.tokenFile, signal);
      if (token.type === 'retry') return token;
      if (notification.subjects.length === 0) return { type: 'refused', why: 'it is about no commit, and only commits have a status' };
      const headers = { 'content-type': 'application/json', 'idempotency-key': notification.id, ...statusHeaders(config.provider, token.value) };
      return sendEach(notification.subjects, async (subject) => {
        const target = statusTarget(config, subject.revision);
        if (target.type === 'refused') return target;
        const single = singleSubject(notification, subject);
        const body = JSON.stringify(statusBody(config, single, messageOf(single)));
        const answer = await http.post({ url: target.url, headers, body }, signal);
        return rateLimited(answer, now) ?? classify(answer, { secrets: [token.value], now });
      });
    },
    close: () => Promise.resolve(),
  };
}

const shortestWaitMs = 60_000;

/** GitHub answers 403 to whom it lets wait, as it does to whom it lets not in at all: only the headers tell. */
function rateLimited(answer: HttpResult, now: () => Date): SendOutcome | undefined {
  if (answer.type !== 'answer' || answer.status !== 403) return undefined;
  const { host, headers, text } = answer;
  const reset = headers['x-ratelimit-remaining'] === '0' ? Number(headers['x-ratelimit-reset']) : Number.NaN;
  const until = Number.isFinite(reset) ? new Date(reset * 1000).toUTCString() : undefined;
  const { afterMs } = waitOf(headers['retry-after'] ?? until, now);
  if (afterMs === undefined && !/secondary rate limit/i.test(text)) return undefined;
  return { type: 'retry', why: `${host} answered 403: too many requests`, afterMs: afterMs ?? shortestWaitMs };
}
