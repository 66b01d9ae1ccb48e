import type { Step } from './path.ts';
import { Refusal } from './refusal.ts';

/** RFC 6901: `/metadata/annotations/example.com~1x`, `/spec/containers/0/image`. */
export function parsePointer(text: string): readonly Step[] {
  const wanted = 'wanted a JSON pointer such as /spec/replicas';
  if (text === '' || text === '/') throw new Refusal(`${wanted}, and not the whole object`);
  if (!text.startsWith('/')) throw new Refusal(`${wanted}, which begins with a slash`);
  if (/~(?![01])/.test(text)) throw new Refusal(`${wanted}, in which ~ is written ~0 and / inside of a key ~1`);
  const keys = text
    .slice(1)
    .split('/')
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (keys.includes('*')) throw new Refusal(`${wanted}, which knows no wildcards; under paths, webhooks[*].clientConfig.caBundle does`);
  return keys.map((key) => ({ type: 'token', key }));
}
