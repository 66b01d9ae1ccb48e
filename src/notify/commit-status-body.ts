import type { CommitStatusConfig, Notification } from '../model/index.ts';
import { isResolved, type Message } from './message.ts';
import { cut, plainText } from './plain-text.ts';

type Provider = CommitStatusConfig['provider'];

const longestDescription = 140;
const longestContext = 255;

/** Of a notification about one application. */
export function statusBody({ provider, context = 'setpoint' }: Pick<CommitStatusConfig, 'provider' | 'context'>, notification: Notification, { title }: Message): object {
  const [subject] = notification.subjects;
  const { namespace = null, name = '' } = subject?.application ?? {};
  const isGood = isResolved(notification) || notification.type === 'test';
  // The application is always part of it: many may be made from one commit.
  const called = plainText([context, namespace, name].filter((part) => part !== null).join('/'), longestContext);
  const description = cut(title, longestDescription);
  if (provider === 'gitlab') return { state: isGood ? 'success' : 'failed', name: called, description };
  return { state: isGood ? 'success' : 'failure', context: called, description };
}

export function statusHeaders(provider: Provider, token: string): Readonly<Record<string, string>> {
  switch (provider) {
    case 'github':
      return { authorization: `Bearer ${token}`, accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' };
    case 'gitlab':
      return { 'private-token': token };
    case 'gitea':
      return { authorization: `token ${token}` };
  }
}
