import { Liquid, type Template } from 'liquidjs';
import type { DestinationConfig, Notification } from '../model/index.ts';
import { messageOf, type Message } from './message.ts';
import { cut, plainText } from './plain-text.ts';

export interface FailedTemplate {
  readonly template: 'title' | 'text';
  readonly why: string;
}

export interface TemplateOptions {
  readonly onFailed?: (failed: FailedTemplate) => void;
}

const maxLines = 40;
const longestLine = 500;
const longestTitle = 200;

/** The message of a destination: by its templates where it has some, else the built-in one. A template that fails costs its words, never the alert. */
export function createMessageOf({ name, templates = {} }: Pick<DestinationConfig, 'name' | 'templates'>, { onFailed }: TemplateOptions = {}): (notification: Notification) => Message {
  const engine = createEngine();
  const [title, text] = [prepare(engine, templates.title), prepare(engine, templates.text)];
  return (notification) => {
    const message = messageOf(notification);
    const failed: string[] = [];
    const fill = (template: 'title' | 'text', render: Render | undefined): string | undefined => {
      const result = render?.(scopeOf(notification, message));
      if (result?.type !== 'failed') return result?.text;
      onFailed?.({ template, why: result.why });
      failed.push(`The template ${template} of ${plainText(name, 100)} failed, this is the built-in text: ${result.why}`);
      return undefined;
    };
    const [ownTitle, ownText] = [fill('title', title), fill('text', text)];
    const lines = ownText === undefined ? message.lines : linesIn(ownText);
    return {
      ...message,
      ...(ownTitle !== undefined && ownTitle.trim() !== '' && { title: plainText(ownTitle.trim(), longestTitle) }),
      lines: [...lines.slice(0, maxLines - failed.length), ...failed],
    };
  };
}

/** Strict: what is not known fails. No files; bounded in time, in what it parses and in what it makes. */
function createEngine(): Liquid {
  return new Liquid({
    templates: {},
    relativeReference: false,
    ownPropertyOnly: true,
    strictFilters: true,
    strictVariables: true,
    lenientIf: true,
    timezoneOffset: 0,
    parseLimit: 20_000,
    // Milliseconds: it is filled on the thread that does everything else. The first time takes tens of them.
    renderLimit: 250,
    memoryLimit: 1_000_000,
  });
}

type Rendered = { readonly type: 'filled'; readonly text: string } | { readonly type: 'failed'; readonly why: string };
type Render = (scope: object) => Rendered;

function prepare(engine: Liquid, source: string | undefined): Render | undefined {
  if (source === undefined) return undefined;
  const attempt = (work: () => string): Rendered => {
    try {
      return { type: 'filled', text: work() };
    } catch (error) {
      return { type: 'failed', why: plainText(error instanceof Error ? error.message : String(error), 200) };
    }
  };
  let parsed: Template[] | undefined;
  return (scope) => attempt(() => String(engine.renderSync((parsed ??= engine.parse(source)), scope)));
}

function linesIn(text: string): readonly string[] {
  return text
    .slice(0, maxLines * longestLine)
    .trimEnd()
    .split(/\r?\n/)
    .map((line) => cut(plainText(line, longestLine), longestLine));
}

/** What a template may use; the names are documented. */
function scopeOf(notification: Notification, message: Message): object {
  const { type, at, cluster, rule, subjects, truncatedSubjects } = notification;
  return { type, at, cluster, rule, subjects, truncatedSubjects, ...message };
}
