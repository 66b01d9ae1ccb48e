import { SetpointError } from '../../model/index.ts';

interface Redirect {
  /** The URL of the repository. */
  readonly base: string;
  /** What was asked for below it. */
  readonly rest: string;
  readonly status: number;
  readonly location: string | undefined;
}

/** Where the repository is now. Only another path of the same server will do: others must not see the credentials. */
export function redirectTarget({ base, rest, status, location }: Redirect): string {
  const target = URL.parse(location ?? '', base + rest);
  if (location === undefined || target === null) throw moved(base, `without saying where to (it answered ${status})`);
  if (target.origin !== new URL(base).origin) throw moved(base, `to another server, ${target.origin}: its credentials are not sent there`);
  const found = target.pathname + target.search;
  if (!found.endsWith(rest) || target.username !== '' || target.password !== '') throw moved(base, `to a page that is no repository (it answered ${status}): the server may want someone to sign in`);
  return target.origin + found.slice(0, -rest.length);
}

function moved(base: string, where: string): SetpointError {
  return new SetpointError('RepositoryInvalid', `${base} has moved ${where}. Give its new URL`);
}
