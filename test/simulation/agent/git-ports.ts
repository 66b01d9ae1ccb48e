import { SetpointError, type SourceTree } from '../../../src/model/index.ts';
import type { createDesiredState, Reference } from '../../../src/reconcile/index.ts';
import { memoryTree } from '../../support/memory-tree.ts';
import { branch, type GitServer } from '../world/git-server.ts';
import type { Network, Sender } from '../world/network.ts';

type Parts = Parameters<typeof createDesiredState>[0];
type GitPorts = ReturnType<Parts['repository']> & Parts['renderer'] & { resolve(reference: Reference, signal: AbortSignal): Promise<string> };

interface Options {
  readonly sender: Sender;
  readonly network: Network;
  readonly server: GitServer;
  /** Told of each answer of the server, as it reaches the process; undefined: there was none. */
  readonly asked: (commit: string | undefined) => void;
}

const noTree: SourceTree = memoryTree({});

/** One repository and its renderer, as one process reaches them: a commit that was fetched once is at hand. */
export function createGitPorts({ sender, network, server, asked }: Options): GitPorts {
  const fetched = new Set<string>();
  return {
    async resolve({ revision }, signal) {
      if (revision !== branch) return network.send(sender, { to: 'git', type: 'read', what: `ask for ${revision}`, carryOut: () => revision, signal });
      try {
        const commit = await network.send(sender, { to: 'git', type: 'read', what: 'ask for the branch', carryOut: () => server.head().id, signal });
        asked(commit);
        return commit;
      } catch (error) {
        if (!signal.aborted) asked(undefined);
        throw error;
      }
    },
    async pull(commit, signal) {
      if (!fetched.has(commit)) await network.send(sender, { to: 'git', type: 'read', what: `fetch ${commit}`, carryOut: () => undefined, signal });
      fetched.add(commit);
      return { commit, tree: noTree, [Symbol.dispose]: () => undefined };
    },
    render,
    renderAnew: render,
  };

  async function render([source]: Parameters<GitPorts['render']>[0], { name }: Parameters<GitPorts['render']>[1]): ReturnType<GitPorts['render']> {
    const folder = server.find(source?.commit ?? '').folders.get(name);
    if (folder === undefined) throw new SetpointError('PathNotFound', `there is no folder ${name}`);
    if (folder.type === 'broken') throw new SetpointError('RenderFailed', `the files in ${name} cannot be rendered`);
    return { documents: folder.documents, findings: Object.keys(folder.unread).map((unread) => ({ severity: 'error', origin: `${unread}.yaml`, message: 'it cannot be read' })) };
  }
}
