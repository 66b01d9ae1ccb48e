import { oneLine, printable } from './printable.ts';

// Inside a block of HTML, which ends only at an empty line, Markdown reads nothing; inside <code> GitHub and GitLab link nothing
// either (@mentions, #issues, addresses). So all that comes from the cluster or from Git is put there.
const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

const longest = 500;

/** A name or a path. */
export function code(text: string): string {
  return `<code>${escape(printable(text))}</code>`;
}

/** A message in words. */
export function codeOfMessage(text: string): string {
  return `<code>${escape(oneLine(text))}</code>`;
}

export function tableOf(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const header = `<tr>${titles.map((title) => `<th>${title}</th>`).join('')}</tr>`;
  return ['<table>', header, ...rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`), '</table>'].join('\n');
}

/** A block of code that its content cannot end: the fence is longer than any run of backticks in it. */
export function fenced(language: string, lines: readonly string[]): string {
  const content = lines.map(clip);
  const longestRun = Math.max(2, ...content.flatMap((line) => (line.match(/`+/g) ?? []).map(({ length }) => length)));
  const fence = '`'.repeat(longestRun + 1);
  return [`${fence}${language}`, ...content, fence].join('\n');
}

function escape(text: string): string {
  return clip(text).replaceAll(/[&<>"']/g, (character) => entities[character] ?? character);
}

function clip(text: string): string {
  return text.length <= longest ? text : `${text.slice(0, longest).toWellFormed()}… (${text.length - longest} more characters)`;
}
