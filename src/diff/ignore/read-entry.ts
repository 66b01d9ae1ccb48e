import { fieldManager } from '../../model/index.ts';
import { globOf, matchesGlob, type Glob } from './glob.ts';
import { identityAt } from './identity.ts';
import type { IgnoredPath, ObjectIgnores } from './object-ignores.ts';
import { parseJq } from './parse-jq.ts';
import { parsePath } from './parse-path.ts';
import { parsePointer } from './parse-pointer.ts';
import { pathOf, type Step } from './path.ts';
import { Refusal } from './refusal.ts';

export type ListField = 'jsonPointers' | 'paths' | 'jqPathExpressions' | 'managedFieldsManagers';

export const listFields: readonly ListField[] = ['jsonPointers', 'paths', 'jqPathExpressions', 'managedFieldsManagers'];

// The longest jq expression found in public has 160 characters. A bound on the text bounds the work for every object, and how deep
// parentheses go.
const longest = 1000;

/** What one string under a field of a rule stands for. Throws a Refusal. */
export function readEntry(field: ListField, text: string): ObjectIgnores {
  if (text.length > longest) throw new Refusal(`wanted at most ${longest} characters`);
  switch (field) {
    case 'jsonPointers':
      return ignoring([ignoredPath(parsePointer(text), false)]);
    case 'paths': {
      const { steps, floats } = parsePath(text);
      return ignoring([ignoredPath(steps, floats)]);
    }
    case 'jqPathExpressions':
      return ignoring(parseJq(text).map((steps) => ignoredPath(steps, false)));
    case 'managedFieldsManagers':
      return { paths: [], managers: [manager(text)] };
  }
}

function ignoring(paths: readonly IgnoredPath[]): ObjectIgnores {
  return { paths, managers: [] };
}

function ignoredPath(steps: readonly Step[], floats: boolean): IgnoredPath {
  const path = pathOf(steps);
  const identity = path === undefined ? 'the whole object' : identityAt(path, { floats });
  if (path === undefined || identity !== undefined) throw new Refusal(`wanted a path to something that may differ, and this may lead to ${identity}`);
  return { path, floats };
}

function manager(text: string): Glob {
  if (text === '') throw new Refusal('wanted the name of a field manager, such as kube-controller-manager');
  const glob = globOf(text);
  if (matchesGlob(glob, fieldManager)) {
    throw new Refusal(`wanted the name of another field manager: as ${fieldManager}, we ourselves apply what Git wants`);
  }
  return glob;
}
