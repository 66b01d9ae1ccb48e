import type { Destination, EmailConfig } from '../model/index.ts';
import { setSystemTimer, startLimit, type SetTimer } from './deadline.ts';
import type { DestinationDeps } from './destination-deps.ts';
import { emailMessage } from './email-message.ts';
import { sendBySmtp, type SmtpLogin } from './email-smtp.ts';
import { messagesFor } from './messages-for.ts';

export interface EmailDeps extends Pick<DestinationDeps, 'readSecret' | 'onTemplateFailed'> {
  /** PEM; trusted besides the usual authorities. */
  readonly ca?: string;
  readonly deadlineMs?: number;
  readonly setTimer?: SetTimer;
}

// Mail servers let strangers wait for their greeting.
const usualDeadlineMs = 30_000;

/**
 * Mail by SMTP. Later messages of an alert answer the first one. The server may be at a private address: it is named in
 * the configuration, most are, and to what is no mail server nothing is said.
 */
export function createEmail(config: EmailConfig, deps: EmailDeps): Destination {
  const { readSecret, ca, deadlineMs = usualDeadlineMs, setTimer = setSystemTimer } = deps;
  const { host, port, user, passwordFile } = config;
  const messageOf = messagesFor(config, deps);
  return {
    name: config.name,
    async send(notification, signal) {
      const password = passwordFile === undefined ? undefined : await readSecret(passwordFile, signal);
      if (password?.type === 'retry') return password;
      const login: SmtpLogin | undefined = user === undefined || password === undefined ? undefined : { user, password: password.value };
      const mail = emailMessage(config, notification, messageOf(notification));
      using limit = startLimit({ ms: deadlineMs, setTimer }, signal);
      const outcome = await Promise.race([sendBySmtp({ server: config, login, mail, ca }, limit.signal), limit.over]);
      if (outcome === 'late') return { type: 'retry', why: `the mail server ${host}:${port} took longer than ${deadlineMs / 1000} s` };
      if (outcome === 'stopped') return { type: 'retry', why: `the mail server ${host}:${port} was not waited for: sending was stopped` };
      return outcome.type === 'sent' ? { type: 'sent', ref: mail.inReplyTo ?? mail.messageId } : outcome;
    },
    close: () => Promise.resolve(),
  };
}
