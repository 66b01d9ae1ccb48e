import type { JqCursor, JqToken } from './jq-tokens.ts';
import { everyItem, type Step } from './path.ts';

/** The way down that begins here: `.a`, `."a"`, `["a"]`, `[0]`, `[]`, each perhaps with a `?`. A lone dot has no steps. */
export function parseJqSteps(cursor: JqCursor): readonly Step[] {
  const steps: Step[] = [];
  for (;;) {
    const token = cursor.peek();
    if (token.type === 'field') {
      cursor.next();
      steps.push({ type: 'key', key: token.name });
    } else if (cursor.take('[')) {
      steps.push(parseBracket(cursor));
    } else if (cursor.take('.')) {
      if (steps.length === 0 && !startsStep(cursor.peek())) return steps;
      steps.push(parseAfterDot(cursor));
    } else if (!cursor.take('?')) {
      return steps;
    }
  }
}

function startsStep({ type, text }: JqToken): boolean {
  return type === 'string' || text === '[';
}

function parseAfterDot(cursor: JqCursor): Step {
  if (cursor.take('[')) return parseBracket(cursor);
  const token = cursor.next();
  return token.type === 'string' ? { type: 'key', key: token.value } : cursor.refuse(`${token.text} after a dot`);
}

function parseBracket(cursor: JqCursor): Step {
  if (cursor.take(']')) return everyItem;
  const token = cursor.next();
  if (!cursor.take(']')) return cursor.refuse(`[${token.text} ${cursor.peek().text}`);
  if (token.type === 'string') return { type: 'key', key: token.value };
  return token.type === 'number' && /^\d+$/.test(token.text) ? { type: 'token', key: token.text } : cursor.refuse(`[${token.text}]`);
}
