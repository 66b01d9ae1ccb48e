import { pino } from 'pino';

export type Fields = Readonly<Record<string, unknown>>;
export type LogFormat = 'text' | 'json';

/** The message is constant, what varies is in the fields. Never an object's body. */
export interface Log {
  debug(message: string, fields?: Fields): void;
  info(message: string, fields?: Fields): void;
  warn(message: string, fields?: Fields): void;
  error(message: string, fields?: Fields): void;
}

interface LogOptions {
  readonly format: LogFormat;
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly write: (line: string) => void;
}

export function createLog({ format, level, write }: LogOptions): Log {
  const destination = { write: format === 'json' ? write : (line: string) => write(asText(line)) };
  const logger = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      messageKey: 'message',
    },
    destination,
  );
  const log =
    (name: 'debug' | 'info' | 'warn' | 'error') =>
    (message: string, fields: Fields = {}): void =>
      logger[name](fields, message);
  return { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') };
}

function asText(line: string): string {
  const { time, level, message, ...fields } = JSON.parse(line) as Record<string, unknown>;
  const rest = Object.entries(fields).map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
  return `${[String(time).slice(11, 19), String(level).padEnd(5), message, ...rest].join('  ')}\n`;
}
