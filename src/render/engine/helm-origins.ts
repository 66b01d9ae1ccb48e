import { splitDocuments } from '../yaml/split-documents.ts';

export interface ChartFiles {
  /** The folder of the chart in the tree. */
  readonly chart: string;
  /** Whether a path of the tree is a file of this chart. */
  has(path: string): boolean;
}

const sourceLine = /^(?:---[^\n]*\n)?# Source: [^/\n]+\/([^\n]+)/;

/**
 * Where each document of Helm's output comes from, by the comment that Helm puts on top of it. Helm writes the name of the chart, we
 * give its folder. A document without a comment is a later one of the same file: Helm leaves the files of `crds/` as they are. A
 * subchart that is packed or stands in a folder of another name has no file to point at.
 */
export function helmOrigins(text: string, { chart, has }: ChartFiles): readonly (string | undefined)[] {
  const origins: (string | undefined)[] = [];
  let origin: string | undefined;
  for (const section of splitDocuments(text, { index: 1, line: 1 })) {
    const named = sourceLine.exec(section.text)?.[1];
    if (named !== undefined) {
      const path = chart === '' ? named : `${chart}/${named}`;
      origin = has(path) ? path : undefined;
    }
    while (origins.length < section.index - 1) origins.push(undefined);
    origins[section.index - 1] = origin;
  }
  return origins;
}
