import { SetpointError, type SourceTree } from '../../../model/index.ts';

interface Wanted {
  readonly folder: string;
  readonly names: readonly string[];
  readonly what: string;
}

/** The tree has its own words for a folder that is not there. */
export async function nothingToRender({ folder, names, what }: Wanted, tree: SourceTree): Promise<SetpointError> {
  if ((await tree.typeOf(folder)) !== 'folder') await tree.list(folder);
  return new SetpointError('RenderFailed', `${folder || '.'}: there is no ${what}: the folder has no ${names.join(', ')}`);
}
