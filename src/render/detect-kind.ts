import type { RenderOptions, SourceKind, SourceTree } from '../model/index.ts';

export const kustomizationNames: readonly string[] = ['kustomization.yaml', 'kustomization.yml', 'Kustomization'];

/** What a folder is, by the files in it. Where both are there Kustomize wins, as in Argo CD. */
export async function detectKind(tree: SourceTree, path: string, { kind }: RenderOptions): Promise<SourceKind> {
  if (kind !== undefined) return kind;
  if ((await tree.typeOf(path)) === 'file') return 'directory';
  const inFolder = (name: string): string => (path === '' ? name : `${path}/${name}`);
  for (const name of kustomizationNames) {
    if ((await tree.typeOf(inFolder(name))) === 'file') return 'kustomize';
  }
  return (await tree.typeOf(inFolder('Chart.yaml'))) === 'file' ? 'helm' : 'directory';
}
