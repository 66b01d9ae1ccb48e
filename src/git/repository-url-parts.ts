// What may stand in the address of a repository. No message repeats the text: it may hold a password.
import { SetpointError } from '../model/index.ts';

export function refusedUrl(message: string): SetpointError {
  return new SetpointError('RepositoryInvalid', message);
}

// Beside the control characters those that show text in another order than it has, or nothing at all.
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
const longest = 2048;

export function checkText(text: string): void {
  if (text === '') throw refusedUrl('the URL of the repository is empty: give https://HOST/PATH');
  if (text.length > longest) throw refusedUrl(`the URL of the repository is longer than ${longest} characters`);
  if (unprintable.test(text)) throw refusedUrl('the URL of the repository has a line break, a tab or another character that cannot be seen');
  if (text.startsWith('-')) throw refusedUrl('the URL of the repository starts with a dash, as an option does: a local path would be ./-name');
  if (/^[a-z0-9+.-]*::/i.test(text)) throw refusedUrl('remote helpers (NAME::ADDRESS) are not run: give an https://, ssh:// or file:// URL');
}

interface UrlParts {
  readonly user: string | undefined;
  readonly password: string | undefined;
  /** With its port, as written. */
  readonly host: string;
  /** As written, still encoded. */
  readonly path: string;
}

/** Parts as they are written, before a URL parser has repaired anything. */
export function splitUrl(text: string): UrlParts {
  if (/[\s\\]/.test(text)) throw refusedUrl('the URL of the repository has a space or a backslash: write %20 for a space, and / between folders');
  if (/[?#]/.test(text)) throw refusedUrl('the URL of the repository has a query or a fragment, which Git does not know: leave out what follows ? or #');
  const [, authority = '', path = ''] = /^[^:]*:\/\/([^/]*)(.*)$/.exec(text) ?? [];
  const at = authority.lastIndexOf('@');
  const login = at === -1 ? undefined : authority.slice(0, at);
  if (login?.includes('@')) throw refusedUrl('the URL of the repository has more than one @ before its path: write %40 for an @ in a name or password');
  const colon = login?.indexOf(':') ?? -1;
  return {
    user: login === undefined ? undefined : decode(colon === -1 ? login : login.slice(0, colon)),
    password: login === undefined || colon === -1 ? undefined : decode(login.slice(colon + 1)),
    host: authority.slice(at + 1),
    path,
  };
}

const hostName = /^(?!.*\.\.)[a-z0-9_](?:[a-z0-9._-]*[a-z0-9])?(?::\d{1,5})?$/;
const addressV6 = /^\[[0-9a-f:.]+\](?::\d{1,5})?$/;

/** A host must be written as it will be used: no percent signs, no look-alikes, no numbers that turn into addresses. */
export function checkHost(written: string, parsed: string): void {
  const host = written.toLowerCase();
  if (host === '') throw refusedUrl('the URL of the repository cannot be read, it has no host: give https://HOST/PATH');
  const withoutPort = (text: string): string => text.replace(/:\d*$/, '');
  if ((!hostName.test(host) && !addressV6.test(host)) || withoutPort(host) !== withoutPort(parsed.toLowerCase())) {
    throw refusedUrl('the host of the repository is not a plain host name or address: write it in small ASCII letters, digits, dots and dashes (xn--… for others), and not with a dash first');
  }
}

export function checkUser(user: string): string {
  if (!/^[a-z0-9_][a-z0-9._+-]*$/i.test(user)) throw refusedUrl('the user name for SSH must be made of letters, digits, dots, dashes and underscores, and not start with a dash');
  return user;
}

/** The path with its percent signs resolved, for who needs it so; refused where it means something else than it says. */
export function decodePath(path: string): string {
  if (/%2f|%5c|%25/i.test(path)) throw refusedUrl('the path of the repository has an encoded slash, backslash or percent sign, which servers read differently: write it plainly');
  return checkPath(decode(path));
}

export function checkPath(decoded: string): string {
  if (decoded.includes('\\')) throw refusedUrl('the path of the repository has a backslash: write / between folders');
  if (decoded.split('/').some((part) => part === '..' || part === '.')) throw refusedUrl('the path of the repository has . or .. in it: write where it leads');
  return decoded;
}

function decode(text: string): string {
  let decoded;
  try {
    decoded = decodeURIComponent(text);
  } catch {
    throw refusedUrl('the URL of the repository has a percent sign that encodes nothing');
  }
  if (unprintable.test(decoded)) throw refusedUrl('the URL of the repository has an encoded line break, NUL or another character that cannot be seen');
  return decoded;
}
