// The comments of the chart's values in → its README: `node release/chart-readme.ts` writes it anew.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMap, isScalar, parseDocument, type Node, type Pair } from 'yaml';

const chart = join(import.meta.dirname, '..', 'charts', 'setpoint');
const file = join(chart, 'README.md');

const head = `<!-- Made by release/chart-readme.ts from the comments of values.yaml: change it there. -->
# Chart of Setpoint

\`\`\`sh
helm install setpoint charts/setpoint -n setpoint --create-namespace --set image.repository=REGISTRY/setpoint
\`\`\`

This much only watches: nothing is changed in the cluster. [Install](../../docs/install.md) has the next steps, [rights](../../docs/rbac.md) what
the agent may do at each level. Values that do not go together are refused, with a sentence for each; so are keys that are not in this table.

| value | | default |
|---|---|---|
`;

export interface ChartValue {
  /** `redis.image.tag` */
  readonly path: string;
  readonly about: string;
  readonly default: unknown;
}

/** Everything in values.yaml that has a comment of its own, in the order of the file. */
export function chartValues(): readonly ChartValue[] {
  const document = parseDocument(readFileSync(join(chart, 'values.yaml'), 'utf8'));
  return isMap(document.contents) ? document.contents.items.flatMap((pair, index) => valuesIn(pair, index === 0 ? document.commentBefore : undefined, '')) : [];
}

function valuesIn({ key, value }: Pair, above: string | null | undefined, parent: string): readonly ChartValue[] {
  if (!isScalar(key)) return [];
  const path = parent === '' ? String(key.value) : `${parent}.${String(key.value)}`;
  const about = commentOf(key.commentBefore ?? above);
  const node = value as Node;
  // The comment of the first key in a mapping is kept at the mapping.
  const inside = isMap(node) ? node.items.flatMap((pair, index) => valuesIn(pair, index === 0 ? node.commentBefore : undefined, path)) : [];
  const own = about === undefined ? [] : [{ path, about, default: inside.length > 0 ? undefined : (node.toJSON() as unknown) }];
  return [...own, ...inside];
}

function commentOf(text: string | null | undefined): string | undefined {
  return /^ -- (.+)$/m.exec(text ?? '')?.[1];
}

export function chartReadme(): string {
  return head + chartValues().map(({ path, about, default: given }) => `| \`${path}\` | ${about.replaceAll('|', '\\|')} | ${given === undefined ? '' : `\`${JSON.stringify(given)}\``} |\n`).join('');
}

if (import.meta.main) writeFileSync(file, chartReadme());
