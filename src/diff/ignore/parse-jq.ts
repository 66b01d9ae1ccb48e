import { parseJqCondition } from './jq-condition.ts';
import { parseJqSteps } from './jq-steps.ts';
import { jqCursor, type JqCursor } from './jq-tokens.ts';
import type { Step } from './path.ts';
import { Refusal } from './refusal.ts';

type Paths = readonly (readonly Step[])[];

const mostPaths = 64;

/**
 * The paths that a jq expression stands for, where it is of a shape that leads to places: fields, `[]`, indexes, `select(…)` after
 * `[]`, and such after each other or side by side. Anything else is refused, with the part that is not understood.
 */
export function parseJq(expression: string): Paths {
  try {
    const cursor = jqCursor(expression);
    const paths = parsePipe(cursor, [[]]);
    return cursor.peek().type === 'end' ? paths : cursor.refuse(cursor.peek().text);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const wanted = 'wanted a jq path such as .spec.template.spec.containers[] | select(.name == "web") | .image';
    throw new Refusal(`${wanted}, or a keyed path such as metadata.annotations[example.com/*] under paths: ${error.message}`);
  }
}

function parsePipe(cursor: JqCursor, start: Paths): Paths {
  let paths = parseSideBySide(cursor, start);
  while (cursor.take('|')) paths = parseSideBySide(cursor, paths);
  return paths;
}

/** A comma binds tighter than a pipe. */
function parseSideBySide(cursor: JqCursor, start: Paths): Paths {
  const paths = [...parseTerm(cursor, start)];
  while (cursor.take(',')) paths.push(...parseTerm(cursor, start));
  return paths.length > mostPaths ? cursor.refuse(`an expression for more than ${mostPaths} paths`) : paths;
}

function parseTerm(cursor: JqCursor, start: Paths): Paths {
  if (cursor.take('(')) {
    const inner = parsePipe(cursor, start);
    cursor.expect(')');
    return onwards(inner, parseJqSteps(cursor));
  }
  if (cursor.take('select')) return onwards(parseSelect(cursor, start), parseJqSteps(cursor));
  return onwards(start, parsePath(cursor));
}

function parsePath(cursor: JqCursor): readonly Step[] {
  const { type, text } = cursor.peek();
  // Brackets without a dot before them make a list.
  return type === 'field' || text === '.' ? parseJqSteps(cursor) : cursor.refuse(text);
}

function parseSelect(cursor: JqCursor, start: Paths): Paths {
  cursor.expect('(');
  const choices = parseJqCondition(cursor);
  cursor.expect(')');
  return start.flatMap((steps) => {
    const last = steps.at(-1);
    if (last?.type !== 'where') return cursor.refuse('select(…) elsewhere than after []');
    return choices.map((conditions) => [...steps.slice(0, -1), { type: 'where', conditions: [...last.conditions, ...conditions] } as const]);
  });
}

function onwards(paths: Paths, steps: readonly Step[]): Paths {
  return paths.map((path) => [...path, ...steps]);
}
