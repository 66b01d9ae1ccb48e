import type { MemoryFile, MemoryFiles } from '../../support/memory-tree.ts';
import type { SeededRandom } from '../../support/seeded-random.ts';

const places = ['a/x.yaml', 'a/y.yaml', 'a/sub/x.yaml', 'a/notes.txt', 'b/x.yaml', 'b/sub/y.yaml', 'c/deep/z.yaml', 'l', 'a/l.yaml', 'm'];
const targets = ['a', 'b', 'b/x.yaml', 'gone', '/etc', '../out', 'x.yaml', 'sub'];

export function manifest(name: string, value: number): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\ndata: {v: "${value}"}\n`;
}

/** A few files, links and submodules at a few places, so that edits often hit something. */
export function randomTree(random: SeededRandom): MemoryFiles {
  return Object.fromEntries(places.filter(() => random.below(3) > 0).map((place) => [place, randomFile(random, place)]));
}

function randomFile(random: SeededRandom, place: string): MemoryFile {
  const choice = random.below(12);
  if (choice === 0 || place === 'l' || place.endsWith('/l.yaml')) return { link: targets[random.below(targets.length)] ?? 'a' };
  if (choice === 1 && place === 'm') return { submodule: true };
  return manifest(`n${random.below(3)}`, random.below(3));
}

export function randomEdit(random: SeededRandom, files: MemoryFiles): MemoryFiles {
  const place = places[random.below(places.length)] ?? 'a/x.yaml';
  const { [place]: present, ...others } = files;
  if (present !== undefined && random.below(3) === 0) return others;
  return { ...others, [place]: randomFile(random, place) };
}
