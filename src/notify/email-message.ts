import type { EmailConfig, Notification } from '../model/index.ts';
import type { Message } from './message.ts';
import { plainText } from './plain-text.ts';

/** As nodemailer takes it. */
export interface EmailMessage {
  readonly from: string;
  readonly to: string[];
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly date: Date;
  /** The same in every copy: a mail server or reader may know the second one by it. */
  readonly messageId: string;
  readonly inReplyTo?: string;
  readonly references?: string;
  readonly headers: Record<string, string>;
  readonly xMailer: false;
}

const longestSubject = 200;

export function emailMessage({ from, to }: Pick<EmailConfig, 'from' | 'to'>, notification: Notification, message: Message): EmailMessage {
  const { at, id, ref } = notification;
  const { title, summary, lines, next, severity, isResolved } = message;
  const before = ref !== undefined && isMessageId(ref) ? ref : undefined;
  return {
    from,
    to: [...to],
    // On one line: a line end in it would begin another header.
    subject: plainText(`[${isResolved ? 'resolved' : severity}] ${title}`, longestSubject),
    text: [title, summary, '', ...lines, ...(next.length > 0 ? ['', ...next] : []), '', `Setpoint, ${id}`, ''].join('\n'),
    html: htmlOf(id, message),
    date: new Date(at),
    messageId: messageIdOf(id, from),
    ...(before !== undefined && { inReplyTo: before, references: before }),
    // No answers by machines.
    headers: { 'Auto-Submitted': 'auto-generated' },
    xMailer: false,
  };
}

function messageIdOf(id: string, from: string): string {
  const domain = /@([a-z0-9.-]+)>?\s*$/i.exec(from)?.[1] ?? 'setpoint.invalid';
  return `<${id.replaceAll(/[^\w.-]/g, '')}@${domain}>`;
}

function isMessageId(text: string): boolean {
  return /^<[^<>\s]{1,250}>$/.test(text);
}

function htmlOf(id: string, { title, summary, lines, next }: Message): string {
  const block = (texts: readonly string[]): string => (texts.length === 0 ? '' : `<pre style="white-space:pre-wrap">${texts.map(escaped).join('\n')}</pre>\n`);
  return `<p><b>${escaped(title)}</b><br>${escaped(summary)}</p>\n${block(lines)}${block(next)}<p><small>Setpoint, ${escaped(id)}</small></p>\n`;
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => entities[sign] ?? '');
}
