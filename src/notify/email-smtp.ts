import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { rootCertificates } from 'node:tls';
import { createTransport } from 'nodemailer';
import { shownText, type EmailConfig, type SendOutcome } from '../model/index.ts';
import type { EmailMessage } from './email-message.ts';
import { redact } from './secret.ts';

export interface SmtpLogin {
  readonly user: string;
  readonly password: string;
}

export interface SmtpSending {
  readonly server: Pick<EmailConfig, 'host' | 'port' | 'tls'>;
  readonly login: SmtpLogin | undefined;
  readonly mail: EmailMessage;
  /** PEM; trusted besides the usual authorities. */
  readonly ca: string | undefined;
}

/** One message over a connection of its own, which the signal cuts at any point. */
export async function sendBySmtp({ server, login, mail, ca }: SmtpSending, signal: AbortSignal): Promise<SendOutcome> {
  let connection: Socket | undefined;
  try {
    connection = connect({ host: server.host, port: server.port, signal });
    await once(connection, 'connect');
    // Nodemailer listens a little later; an error that nobody hears ends the process.
    connection.on('error', ignored);
    const transport = createTransport({
      connection,
      host: server.host,
      port: server.port,
      secure: server.tls === 'tls',
      // Without it a server, or who is between, could leave out the offer and read everything.
      requireTLS: server.tls === 'starttls',
      ignoreTLS: server.tls === 'none',
      tls: { rejectUnauthorized: true, ...(ca !== undefined && { ca: [...rootCertificates, ca] }) },
      ...(login !== undefined && { auth: { user: login.user, pass: login.password }, forceAuth: true }),
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    await transport.sendMail(mail);
    return { type: 'sent' };
  } catch (error) {
    return outcomeOf(error as SmtpError, `${server.host}:${server.port}`, login);
  } finally {
    connection?.destroy();
  }
}

function ignored(): void {
  // It comes again as the failure of the message.
}

interface SmtpError extends NodeJS.ErrnoException {
  /** Of the answer, where the server gave one. */
  readonly responseCode?: number;
  readonly response?: string;
  /** Of the system, where nodemailer put its own in its place. */
  readonly originalCode?: string;
}

/** Codes of nodemailer for what no other try makes better. */
const hopeless: ReadonlySet<string> = new Set(['ECONFIG', 'EENVELOPE', 'EMESSAGE', 'ENOAUTH']);

/** Of an error only what the server said and the code: the rest of its text may quote the message. */
function outcomeOf(error: SmtpError, server: string, login: SmtpLogin | undefined): SendOutcome {
  const { responseCode, response = '', code = error.name } = error;
  if (responseCode !== undefined) {
    // Before it is cut: a part of a secret would not be found any more.
    const said = login === undefined ? response : redact(response, [login.password, `\0${login.user}\0${login.password}`]);
    const why = `the mail server ${server} answered ${shownText(said)}`;
    return responseCode >= 500 ? { type: 'refused', why } : { type: 'retry', why };
  }
  if (hopeless.has(code)) return { type: 'refused', why: `the message could not be given to the mail server ${server}: ${code}` };
  return { type: 'retry', why: `the mail server ${server} cannot be reached: ${error.originalCode ?? code}` };
}
