/** `*` stands for any run of characters, none included, and everything else for itself. Held as the texts between the stars. */
export type Glob = readonly string[];

export function globOf(text: string): Glob {
  return text.split('*');
}

/** A text that stands for itself, stars and all. */
export function literally(text: string): Glob {
  return [text];
}

export function matchesGlob(glob: Glob, text: string): boolean {
  const [head = '', ...between] = glob;
  const tail = between.pop();
  if (tail === undefined) return text === head;
  const end = text.length - tail.length;
  if (end < head.length || !text.startsWith(head) || !text.endsWith(tail)) return false;
  let at = head.length;
  for (const part of between) {
    // The first find is the best one: what fits after a later find fits after this one too, so nothing is tried twice.
    const found = text.indexOf(part, at);
    if (found === -1 || found + part.length > end) return false;
    at = found + part.length;
  }
  return true;
}
