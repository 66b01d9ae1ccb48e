import { Refusal } from './refusal.ts';

/** A place in the text of a keyed path. */
export interface PathScanner {
  /** Takes what a sticky pattern finds here. */
  take(pattern: RegExp): string | undefined;
  /** Takes a text in quotes: double ones as in JSON, single ones as it stands. */
  takeQuoted(): string | undefined;
  sees(pattern: RegExp): boolean;
  isAtEnd(): boolean;
  /** Says what is wrong, and where. */
  refuse(problem: string, advice?: string): never;
}

export function pathScanner(text: string): PathScanner {
  let at = 0;
  const find = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    return pattern.exec(text)?.[0];
  };
  const take = (pattern: RegExp): string | undefined => {
    const found = find(pattern);
    at += found?.length ?? 0;
    return found;
  };
  const isAtEnd = (): boolean => at >= text.length;
  const refuse = (problem: string, advice = ''): never => {
    const here = isAtEnd() ? 'its end' : JSON.stringify(text.slice(at, at + 20));
    throw new Refusal(`wanted a keyed path such as spec.template.spec.containers[name=web].env[name=*_URL].value: ${problem} at ${here}${advice}`);
  };
  const takeQuoted = (): string | undefined => {
    const found = find(/"(?:[^"\\]|\\.)*"|'[^']*'/y);
    if (found === undefined) return undefined;
    const quoted = found.startsWith("'") ? found.slice(1, -1) : (readJsonString(found) ?? refuse('no JSON string'));
    at += found.length;
    return quoted;
  };
  return { take, takeQuoted, sees: (pattern) => find(pattern) !== undefined, isAtEnd, refuse };
}

function readJsonString(text: string): string | undefined {
  try {
    return JSON.parse(text) as string;
  } catch {
    return undefined;
  }
}
