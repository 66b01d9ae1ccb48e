import { literally, type Glob } from './glob.ts';
import { globsOfRegex } from './jq-regex.ts';
import { parseJqSteps } from './jq-steps.ts';
import type { JqCursor } from './jq-tokens.ts';
import type { Condition } from './path.ts';

/** Ways to fulfil a condition: of one of them, all parts must hold. */
type Choices = readonly (readonly Condition[])[];
type Field = readonly string[];

type Operand =
  | { readonly type: 'field'; readonly field: Field }
  | { readonly type: 'value'; readonly value: string | null }
  | { readonly type: 'choices'; readonly choices: Choices };

const mostChoices = 64;

/** What stands between the parentheses of `select(…)`. */
export function parseJqCondition(cursor: JqCursor): Choices {
  const read = parsePipe(cursor, []);
  const { text } = cursor.peek();
  return text === ')' ? asChoices(read, cursor) : cursor.refuse(`${text} in a condition`);
}

/** Each level reads what binds tighter than itself; `here` is what a dot stands for. */
function parsePipe(cursor: JqCursor, here: Field): Operand {
  const left = parseOr(cursor, here);
  if (!cursor.take('|')) return left;
  return left.type === 'field' ? parsePipe(cursor, left.field) : cursor.refuse('a pipe after something else than a field');
}

function parseOr(cursor: JqCursor, here: Field): Operand {
  let left = parseAnd(cursor, here);
  while (cursor.take('or')) {
    left = choicesOf([...asChoices(left, cursor), ...asChoices(parseAnd(cursor, here), cursor)], cursor);
  }
  return left;
}

function parseAnd(cursor: JqCursor, here: Field): Operand {
  let left = parseComparison(cursor, here);
  while (cursor.take('and')) {
    const [some, others] = [asChoices(left, cursor), asChoices(parseComparison(cursor, here), cursor)];
    left = choicesOf(some.flatMap((one) => others.map((other) => [...one, ...other])), cursor);
  }
  return left;
}

function parseComparison(cursor: JqCursor, here: Field): Operand {
  const left = parseOperand(cursor, here);
  const operator = cursor.take('==') ? '==' : cursor.take('!=') ? '!=' : undefined;
  if (operator === undefined) return left;
  const right = parseOperand(cursor, here);
  const [place, other] = left.type === 'field' ? [left, right] : [right, left];
  if (place.type !== 'field' || other.type !== 'value') return cursor.refuse(`${operator} between other things than a field and a value`);
  const { field } = place;
  if (operator === '!=') return other.value === null ? choicesOf([[{ field, wants: 'present' }]], cursor) : cursor.refuse('!= with a value');
  return other.value === null ? cursor.refuse('== null') : choicesOf([[{ field, wants: literally(other.value) }]], cursor);
}

function parseOperand(cursor: JqCursor, here: Field): Operand {
  if (cursor.take('(')) {
    const inner = parsePipe(cursor, here);
    cursor.expect(')');
    return inner;
  }
  const token = cursor.peek();
  if (token.type === 'field' || token.text === '.') return { type: 'field', field: [...here, ...parseField(cursor)] };
  cursor.next();
  if (token.type === 'string') return { type: 'value', value: token.value };
  if (token.text === 'null') return { type: 'value', value: null };
  if (token.type === 'number' || token.text === 'true' || token.text === 'false') return { type: 'value', value: token.text };
  if (token.type !== 'word') return cursor.refuse(`${token.text} in a condition`);
  return choicesOf(parseTest(cursor, token.text).map((wants) => [{ field: here, wants }]), cursor);
}

function parseField(cursor: JqCursor): Field {
  return parseJqSteps(cursor).map((step) => (step.type === 'key' ? step.key : cursor.refuse('[] or an index in a condition')));
}

/** `startswith("x")` and its like. */
function parseTest(cursor: JqCursor, name: string): readonly Glob[] {
  const text = cursor.take('(') ? cursor.next() : undefined;
  if (text?.type !== 'string' || !cursor.take(')')) return cursor.refuse(name);
  if (name === 'startswith') return [[text.value, '']];
  if (name === 'endswith') return [['', text.value]];
  if (name === 'contains') return [['', text.value, '']];
  if (name !== 'test') return cursor.refuse(name);
  const read = globsOfRegex(text.value);
  return read.type === 'globs' ? read.globs : cursor.refuse(`${read.part} in test(${text.text})`);
}

function asChoices(operand: Operand, cursor: JqCursor): Choices {
  return operand.type === 'choices' ? operand.choices : cursor.refuse('a condition that compares nothing');
}

function choicesOf(choices: Choices, cursor: JqCursor): Operand {
  return choices.length > mostChoices ? cursor.refuse(`a condition with more than ${mostChoices} cases`) : { type: 'choices', choices };
}
