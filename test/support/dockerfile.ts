// A Dockerfile as text that can be asked: its instructions, by stage.
import { globSync, readFileSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';

export interface Instruction {
  readonly word: string;
  /** Without its flags. */
  readonly rest: string;
  readonly flags: readonly string[];
}

export interface Stage {
  readonly image: string;
  readonly name: string | undefined;
  readonly instructions: readonly Instruction[];
}

export function readStages(file: string): readonly Stage[] {
  const lines = readFileSync(file, 'utf8').replaceAll(/^\s*#.*\n/gm, '').replaceAll(/\\\n\s*/g, '').split('\n');
  const instructions = lines.filter((line) => line.trim() !== '').map(instructionOf);
  const defaults = new Map(instructions.filter(({ word, rest }) => word === 'ARG' && rest.includes('=')).map(({ rest }) => [rest.split('=')[0] ?? '', rest.slice(rest.indexOf('=') + 1)]));
  const starts = [...instructions.entries()].filter(([, { word }]) => word === 'FROM').map(([index]) => index);
  return starts.map((start, index) => {
    const [image = '', , name] = (instructions[start]?.rest ?? '').split(' ');
    return { image: image.replaceAll(/\$\{(\w+)\}/g, (_, arg: string) => defaults.get(arg) ?? ''), name, instructions: instructions.slice(start + 1, starts[index + 1]) };
  });
}

function instructionOf(line: string): Instruction {
  const [word = '', ...words] = line.trim().split(/\s+/);
  const count = words.findIndex((each) => !each.startsWith('--'));
  return { word, flags: words.slice(0, count), rest: words.slice(count).join(' ') };
}

export interface Copy {
  readonly from: string | undefined;
  readonly sources: readonly string[];
  readonly target: string;
}

export function copiesOf({ instructions }: Stage): readonly Copy[] {
  return instructions
    .filter(({ word }) => word === 'COPY')
    .map(({ rest, flags }) => {
      const paths = rest.split(' ');
      return { from: flags.find((flag) => flag.startsWith('--from='))?.slice('--from='.length), sources: paths.slice(0, -1), target: paths.at(-1) ?? '' };
    });
}

/** The files of the build context below a path: what .dockerignore leaves of the folder. The last pattern that fits decides. */
export function contextFiles(root: string, path: string): readonly string[] {
  const patterns = readFileSync(join(root, '.dockerignore'), 'utf8').split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const parents = (file: string): readonly string[] => file.split('/').map((_, index, parts) => parts.slice(0, index + 1).join('/'));
  const isIgnored = (file: string): boolean =>
    patterns.reduce((ignored, pattern) => {
      const isException = pattern.startsWith('!');
      const fits = parents(file).some((each) => matchesGlob(each, isException ? pattern.slice(1) : pattern));
      return fits ? !isException : ignored;
    }, false);
  const found = globSync([path, `${path}/**`], { cwd: root, withFileTypes: true, exclude: ['**/node_modules'] });
  return found.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1)).filter((file) => !isIgnored(file));
}
