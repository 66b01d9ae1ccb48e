import { Refusal } from './refusal.ts';

export type JqToken =
  /** `.name` */
  | { readonly type: 'field'; readonly text: string; readonly name: string }
  | { readonly type: 'string'; readonly text: string; readonly value: string }
  | { readonly type: 'number' | 'word' | 'sign' | 'end'; readonly text: string };

const token =
  /\s*(?:\.(?<field>[A-Za-z_]\w*)|(?<string>"(?:[^"\\]|\\.)*")|(?<number>-?\d+(?:\.\d+)?)|(?<word>[$@]?[A-Za-z_]\w*)|==|!=|\.\.|\/\/|\S)/gy;

/** A place in an expression. */
export interface JqCursor {
  peek(): JqToken;
  next(): JqToken;
  /** Takes the next token if it is this sign or word. */
  take(text: string): boolean;
  expect(text: string): void;
  /** Says which part is not understood. */
  refuse(part: string): never;
}

export function jqCursor(expression: string): JqCursor {
  const tokens = tokensOf(expression);
  const end: JqToken = { type: 'end', text: 'its end' };
  let at = 0;
  const peek = (): JqToken => tokens[at] ?? end;
  const next = (): JqToken => {
    const found = peek();
    at += 1;
    return found;
  };
  const take = (text: string): boolean => {
    const found = peek().text === text;
    if (found) at += 1;
    return found;
  };
  const refuse = (part: string): never => {
    throw new Refusal(`${part} is not understood`);
  };
  const expect = (text: string): void => {
    if (!take(text)) refuse(`${peek().text} in the place of ${text}`);
  };
  return { peek, next, take, expect, refuse };
}

function tokensOf(expression: string): readonly JqToken[] {
  return [...expression.trim().matchAll(token)].map(({ 0: whole, groups = {} }): JqToken => {
    const text = whole.trim();
    const { field, string, number, word } = groups;
    if (field !== undefined) return { type: 'field', text, name: field };
    if (string !== undefined) return { type: 'string', text, value: unquote(string) };
    return { type: number !== undefined ? 'number' : word !== undefined ? 'word' : 'sign', text };
  });
}

function unquote(string: string): string {
  try {
    return JSON.parse(string) as string;
  } catch {
    throw new Refusal(`the string ${string} is not understood`);
  }
}
