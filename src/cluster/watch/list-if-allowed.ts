import { stringifyJson } from '../../model/index.ts';
import { may } from '../may.ts';
import type { Transport } from '../transport.ts';
import { pathOf, type Place } from './place.ts';

/**
 * Lists of these places go out only where they are allowed, and are answered as the server would otherwise: in an audit log a request
 * that was refused looks like somebody who tries doors. A server that does not say what is allowed is tried.
 */
export function listIfAllowed(transport: Pick<Transport, 'send' | 'stream'>, places: readonly Place[]): Pick<Transport, 'send' | 'stream'> {
  return {
    stream: (request) => transport.stream(request),
    async send(request) {
      const place = places.find((each) => pathOf(each) === request.path);
      if (place === undefined) return transport.send(request);
      const { group, resource } = place.kind;
      const rights = ['list', 'watch'].map((verb) => may(transport, { verb, group, resource }, request.signal).catch(() => true));
      if ((await Promise.all(rights)).every(Boolean)) return transport.send(request);
      return { status: 403, text: stringifyJson({ apiVersion: 'v1', kind: 'Status', status: 'Failure', reason: 'Forbidden', message: 'not asked for: the right is missing', code: 403 }) };
    },
  };
}
