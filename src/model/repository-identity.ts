/**
 * One name for a repository, however its address is written: `host/path`, or the path of a local one. Addresses of one
 * identity are worth the same look; nothing is ever fetched by it. Undefined where the text is no address that can be read.
 */
export function repositoryIdentity(url: string): string | undefined {
  if (url.length > longest || unprintable.test(url)) return undefined;
  const [, scheme, rest = ''] = /^([a-z][a-z0-9+.-]*):\/\/(.*)$/i.exec(url) ?? [];
  if (scheme === undefined) return withoutScheme(url);
  if (/[?#\s\\]/.test(rest)) return undefined;
  switch (scheme.toLowerCase()) {
    case 'http':
    case 'https':
    case 'ssh':
    case 'git':
      return remote(rest, scheme.toLowerCase());
    case 'file':
      return fileUrl(rest);
    default:
      return undefined;
  }
}

const longest = 2048;
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
const hostName = /^(?!.*\.\.)[a-z0-9_](?:[a-z0-9._-]*[a-z0-9])?$/;
const addressV6 = /^\[[0-9a-f:.]+\]$/;

const defaultPorts: ReadonlySet<string> = new Set(['', '22', '80', '443']);

/** The same servers under the names at which they take SSH on port 443. */
const otherNames: ReadonlyMap<string, string> = new Map([
  ['ssh.github.com', 'github.com'],
  ['altssh.gitlab.com', 'gitlab.com'],
  ['altssh.bitbucket.org', 'bitbucket.org'],
]);

/** Hosts that do not tell large from small letters in a path. On others they are kept: two repositories may differ in nothing else. */
const caseless: ReadonlySet<string> = new Set(['github.com', 'gitlab.com', 'bitbucket.org', 'dev.azure.com', 'codeberg.org']);

interface Address {
  readonly scheme: string;
  readonly host: string;
  readonly port: string;
  readonly path: readonly string[];
}

function withoutScheme(text: string): string | undefined {
  if (text === '' || text.startsWith('-') || /^[a-z0-9+.-]*::/i.test(text)) return undefined;
  // As in git: a colon before the first slash makes it the short form of SSH.
  if (!/^[^/]*:/.test(text)) return localPath(text);
  const [, host, path] = /^(?:[^@:/]*@)?([^@:/]+):(.*)$/.exec(text) ?? [];
  return host === undefined || path === undefined ? undefined : remote(`${host}/${path}`, 'ssh');
}

function remote(rest: string, scheme: string): string | undefined {
  const [, authority = '', path = ''] = /^([^/]*)(.*)$/.exec(rest) ?? [];
  const [, written = '', port = ''] = /^(\[[^\]]*\]|[^:]*)(?::(\d{0,5}))?$/.exec(authority.slice(authority.lastIndexOf('@') + 1)) ?? [];
  const host = written.toLowerCase();
  if (!hostName.test(host) && !addressV6.test(host)) return undefined;
  const parts = partsOf(path);
  return parts === undefined ? undefined : nameOf({ scheme, host: otherNames.get(host) ?? host, port, path: parts });
}

/** The decoded parts of a path. A part that would mean another place than it says makes the whole unreadable. */
function partsOf(path: string): readonly string[] | undefined {
  const parts = path.split('/').filter((part) => part !== '');
  const decoded = parts.map(decode);
  if (decoded.length === 0 || decoded.some((part) => part === undefined || /^\.\.?$|[/\\]/.test(part) || unprintable.test(part))) return undefined;
  const names = decoded.filter((part) => part !== undefined);
  const last = names.at(-1)?.replace(/\.git$/, '') ?? '';
  return last === '' ? undefined : [...names.slice(0, -1), last];
}

function decode(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}

function nameOf(address: Address): string {
  const { host, port, path } = address;
  const azure = azureDevOps(address);
  if (azure !== undefined) return `dev.azure.com/${azure.join('/')}`.toLowerCase();
  const bitbucket = bitbucketServer(address);
  if (bitbucket !== undefined) return bitbucket;
  const at = defaultPorts.has(port) ? host : `${host}:${port}`;
  return `${at}/${caseless.has(at) ? path.join('/').toLowerCase() : path.join('/')}`;
}

/** Organisation, project and repository, of the forms that the service gives out. A repository of its project's name goes without the project. */
function azureDevOps({ host, path }: Address): readonly string[] | undefined {
  if (host === 'ssh.dev.azure.com' || host === 'vs-ssh.visualstudio.com') return path[0] === 'v3' && path.length === 4 ? path.slice(1) : undefined;
  const organisation = /^([^.]+)\.visualstudio\.com$/.exec(host)?.[1];
  const whole = organisation === undefined ? path : [organisation, ...path.filter((part, index) => index > 0 || part.toLowerCase() !== 'defaultcollection')];
  if (organisation === undefined && host !== 'dev.azure.com') return undefined;
  const [owner = '', ...rest] = whole;
  if (rest.length === 2 && rest[0] === '_git') return [owner, rest[1] ?? '', rest[1] ?? ''];
  return rest.length === 3 && rest[1] === '_git' ? [owner, rest[0] ?? '', rest[2] ?? ''] : undefined;
}

/** Over HTTP it has `scm` before the project, after a folder if the server lives in one; over SSH neither, and a port of its own. */
function bitbucketServer({ scheme, host, port, path }: Address): string | undefined {
  const scm = path.indexOf('scm');
  if (scm >= 0 && scm <= 1 && path.length === scm + 3) {
    const at = defaultPorts.has(port) || port === '7990' || port === '7999' ? host : `${host}:${port}`;
    return `${at}/${path.slice(scm + 1).join('/').toLowerCase()}`;
  }
  return scheme === 'ssh' && port === '7999' && path.length === 2 ? `${host}/${path.join('/').toLowerCase()}` : undefined;
}

function fileUrl(rest: string): string | undefined {
  const [, host = '', path = ''] = /^([^/]*)(.*)$/.exec(rest) ?? [];
  const decoded = decode(path);
  if ((host !== '' && host !== 'localhost') || path === '' || decoded === undefined || unprintable.test(decoded)) return undefined;
  return localPath(decoded);
}

/** Starts with / or . and so is never taken for one with a host. The .git folder of a work tree is the same repository. */
function localPath(path: string): string {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  const named = parts.at(-1) === '.git' ? parts.slice(0, -1) : parts;
  return `${path.startsWith('/') ? '' : '.'}/${named.join('/')}`;
}
