// Figures as people read them: a table, and the same in RESULTS.md with its conditions.
import { readFile, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import type { BenchResult, Figure, Target } from './bench.ts';

export function lineOf({ what, value, conditions, target }: Figure): string {
  return `${what}: ${value} (${conditions})${target === undefined ? '' : `; target: ${target.wanted}, ${metText(target)}`}`;
}

export function tableOf(figures: readonly Figure[]): string {
  const rows = [['what', 'value', 'target', ''], ...figures.map(({ what, value, target }) => [what, value, target?.wanted ?? '', target === undefined ? '' : metText(target)])];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ').trimEnd()).join('\n');
}

function metText({ met }: Target): string {
  return met === undefined ? 'not judged' : met ? 'met' : 'MISSED';
}

const file = join(import.meta.dirname, 'RESULTS.md');
const preface = `# Figures

Written by \`npm run bench NAME -- --record\`. A figure is a ratio in one run on one machine: compare it with the others of its run only.
`;

/** Puts the result in the place of the last one of the same benchmark. */
export async function recordResult(name: string, result: BenchResult): Promise<string> {
  const before = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return preface;
    throw error;
  });
  const sections = before.split(/^(?=## )/m).filter((section) => !section.startsWith(`## ${name}\n`));
  await writeFile(file, `${[...sections, sectionOf(name, result)].map((section) => section.trim()).join('\n\n')}\n`);
  return 'bench/RESULTS.md';
}

function sectionOf(name: string, { figures, against }: BenchResult): string {
  const rows = figures.map(({ what, value, target, conditions }) => `| ${[what, value, target === undefined ? '' : `${target.wanted}: ${metText(target)}`, conditions].join(' | ')} |`);
  return `## ${name}

${new Date().toISOString().slice(0, 10)}, ${machine()}, against ${against}.

| what | value | target | measured on |
|---|---|---|---|
${rows.join('\n')}`;
}

function machine(): string {
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`;
  const load = loadavg().map((value) => value.toFixed(1));
  return `${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? 'unknown'}), ${memory}, Node ${process.versions.node}, load at the end ${load.join(' ')}`;
}
