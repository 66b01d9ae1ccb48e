import type { Listen } from './agent-config.ts';

/** `HOST:PORT` or `[IPv6]:PORT`; undefined where it is something else. Port 0 is any that is free. */
export function parseListen(text: string): Listen | undefined {
  const [, v6, name, digits] = /^(?:\[([\da-fA-F:.]+)\]|([A-Za-z0-9.-]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = v6 ?? name;
  const port = Number(digits);
  return host === undefined || port > 65_535 ? undefined : { host, port };
}
