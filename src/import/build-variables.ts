import { isList, isObject, valueAt, type Json, type JsonObject } from '../model/index.ts';
import type { Converted, Difference } from './difference.ts';
import type { SourcePlace } from './import-sources.ts';
import { changeAt, shownPath, type JsonPath } from './json-path.ts';

/** `$$` is how Argo CD has a dollar sign written. */
const variable = /\$(?:\$|\{\w+\}|\w+)/g;
/** A file of another source begins with the name of that. */
const reference = /^\$(?!ARGOCD_|KUBE_)[\w-]+(?=\/)/;
const whenRendered = /^(?:ARGOCD_APP_REVISION(?:_SHORT(?:_8)?)?|KUBE_VERSION|KUBE_API_VERSIONS)$/;

type Known = Readonly<Record<string, string | undefined>>;

/** Argo CD puts variables into parameters and paths when it renders. Those that are always the same are put in now. */
export function replaceVariables(source: JsonObject, { at, application }: SourcePlace): Converted<JsonObject> {
  const differences: Difference[] = [];
  const known = knownVariables(source, application);
  const value = placesOf(source).reduce<JsonObject>((before, { path, holds }) => {
    const changed = changeAt(before, path, (text) => {
      if (typeof text !== 'string') return text;
      const [ref = ''] = (holds === 'file' ? reference.exec(text) : null) ?? [];
      const replaced = replaceIn(text.slice(ref.length), known);
      if (replaced.difference !== undefined) differences.push({ path: `${at}.${shownPath(path)}`, ...replaced.difference });
      return ref + replaced.text;
    });
    return isObject(changed) ? changed : before;
  }, source);
  return { value, differences };
}

interface Replaced {
  readonly text: string;
  readonly difference?: Omit<Difference, 'path'>;
}

function replaceIn(text: string, known: Known): Replaced {
  const names = [...text.matchAll(variable)].map(([found]) => nameOf(found));
  if (names.length === 0) return { text };
  const late = names.find((name) => whenRendered.test(name));
  if (late !== undefined) return { text, difference: { type: 'refused', message: `has $${late} in it, which is known only when it is rendered, and is not put in here: give a value` } };
  // Not by its name: it may be a part of a password.
  if (names.some((name) => name !== '$' && known[name] === undefined)) {
    return { text, difference: { type: 'refused', message: 'has a $ in it that begins a variable for Argo CD, which puts nothing in its place: write what is meant' } };
  }
  const put = text.replaceAll(variable, (found) => (found === '$$' ? '$' : (known[nameOf(found)] ?? '')));
  const shown = [...new Set(names.map((name) => `$${name}`))].join(', ');
  return { text: put, difference: { type: 'rewritten', message: `has now what ${shown} stands for: no variables are put in here` } };
}

/** Of `${NAME}`, `$NAME` and `$$`. */
function nameOf(found: string): string {
  return found.replace(/^\$\{?/, '').replace(/\}$/, '');
}

function knownVariables(source: JsonObject, application: JsonObject): Known {
  const text = (value: Json | undefined): string | undefined => (typeof value === 'string' ? value : undefined);
  return {
    ARGOCD_APP_NAME: text(valueAt(application, ['metadata', 'name'])),
    ARGOCD_APP_NAMESPACE: text(valueAt(application, ['spec', 'destination', 'namespace'])),
    ARGOCD_APP_PROJECT_NAME: text(valueAt(application, ['spec', 'project'])) ?? 'default',
    ARGOCD_APP_SOURCE_PATH: text(source['path']),
    ARGOCD_APP_SOURCE_REPO_URL: text(source['repoURL']),
    ARGOCD_APP_SOURCE_TARGET_REVISION: text(source['targetRevision']),
  };
}

interface Place {
  readonly path: JsonPath;
  readonly holds: 'text' | 'file';
}

/** Where Argo CD looks for them. */
function placesOf(source: JsonObject): readonly Place[] {
  const each = (path: readonly string[], rest: readonly string[], holds: Place['holds']): readonly Place[] => {
    const list = valueAt(source, path);
    return isList(list) ? list.map((_, index) => ({ path: [...path, index, ...rest], holds })) : [];
  };
  const annotations = valueAt(source, ['kustomize', 'commonAnnotationsEnvsubst']) === true ? valueAt(source, ['kustomize', 'commonAnnotations']) : undefined;
  return [
    ...each(['helm', 'parameters'], ['value'], 'text'),
    ...each(['helm', 'valueFiles'], [], 'file'),
    ...each(['helm', 'fileParameters'], ['path'], 'file'),
    ...(isObject(annotations) ? Object.keys(annotations).map((name) => ({ path: ['kustomize', 'commonAnnotations', name], holds: 'text' as const })) : []),
  ];
}
