import { isIP } from 'node:net';

/** A host, an address or a range of addresses; undefined where it is something else. */
export function parsePrivatePlace(text: string): string | undefined {
  const [address = '', bits, ...more] = text.split('/');
  const family = isIP(address);
  if (bits !== undefined) return family !== 0 && more.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128) ? text : undefined;
  return family !== 0 || isHost(text) ? text : undefined;
}

/** What ends in a number is another spelling of an address, such as 127.1 or 0x7f000001. */
function isHost(text: string): boolean {
  return /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9])?$/i.test(text) && !/(?:^|\.)(?:\d+|0x[\da-f]*)$/i.test(text);
}
