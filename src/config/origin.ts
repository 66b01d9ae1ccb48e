/** Where a value was said. */
export type Origin =
  | { readonly type: 'flag'; readonly name: string }
  | { readonly type: 'variable'; readonly name: string }
  | { readonly type: 'file'; readonly file: string; readonly line: number }
  | { readonly type: 'default' };

export function showOrigin(origin: Origin): string {
  switch (origin.type) {
    case 'flag':
      return `flag ${origin.name}`;
    case 'variable':
      return origin.name;
    case 'file':
      return `${origin.file}:${origin.line}`;
    case 'default':
      return 'default';
  }
}

/** How a message begins that is about a value: where to change it. */
export function placeOf(origin: Origin, key: string): string {
  switch (origin.type) {
    case 'flag':
    case 'variable':
      return origin.name;
    case 'file':
      return `${origin.file}:${origin.line}: ${key}`;
    case 'default':
      return key;
  }
}
