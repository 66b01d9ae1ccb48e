// isomorphic-git through our transport, without what is built on it.
import fs from 'node:fs';
import { inspect } from 'node:util';
import git from 'isomorphic-git';
import type { RemoteRepository } from '../../src/git/repository-url.ts';
import { createTransport, type Transport, type TransportLimits } from '../../src/git/transport/index.ts';

interface LookOptions {
  readonly limits?: Partial<TransportLimits>;
  readonly signal?: AbortSignal;
}

/** The commit of the branch main, by one look at the references. */
export async function look(from: RemoteRepository, { limits = {}, signal = AbortSignal.timeout(20_000) }: LookOptions = {}): Promise<string | undefined> {
  const transport = createTransport(from, limits);
  try {
    return await lookThrough(transport, signal);
  } finally {
    await transport.close();
  }
}

export async function lookThrough(transport: Transport, signal = AbortSignal.timeout(20_000)): Promise<string | undefined> {
  await using session = transport.session(signal);
  try {
    const references = await git.listServerRefs({ http: session.http, url: session.url, protocolVersion: 2, prefix: 'refs/heads/main' });
    return references.find(({ ref }) => ref === 'refs/heads/main')?.oid;
  } catch (error) {
    throw session.explain(error);
  }
}

/** What kept a look from its answer. */
export async function refusalOf(from: RemoteRepository, options: LookOptions = {}): Promise<Error> {
  return look(from, options).then(
    (found) => {
      throw new Error(`nothing was refused, and ${found} was found`);
    },
    (error: unknown) => error as Error,
  );
}

/** Fetches the tip of main into a new bare repository and says how many bytes that took. */
export async function fetchInto(folder: string, from: RemoteRepository, limits: Partial<TransportLimits> = {}): Promise<number> {
  const transport = createTransport(from, limits);
  try {
    await using session = transport.session(AbortSignal.timeout(20_000));
    const at = { fs, gitdir: folder, http: session.http, url: session.url };
    try {
      await git.init({ ...at, bare: true });
      await git.addRemote({ ...at, remote: 'origin' });
      await git.fetch({ ...at, ref: 'refs/heads/main', remoteRef: 'refs/heads/main', remote: 'origin', singleBranch: true, depth: 1, tags: false });
      return session.bytes();
    } catch (error) {
      throw session.explain(error);
    }
  } finally {
    await transport.close();
  }
}

/** An error in every form in which it may be printed. */
export function printedForms(error: Error): string {
  return [error.message, error.stack, inspect(error, { depth: 20, showHidden: true }), JSON.stringify(error), JSON.stringify(error, Object.getOwnPropertyNames(error))].join('\n');
}
