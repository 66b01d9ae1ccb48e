export interface LogLine {
  readonly level: 'info' | 'warn' | 'error';
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

export interface RecordingLog {
  readonly lines: readonly LogLine[];
  info(message: string, fields?: object): void;
  warn(message: string, fields?: object): void;
  error(message: string, fields?: object): void;
}

export function recordingLog(): RecordingLog {
  const lines: LogLine[] = [];
  const record = (level: LogLine['level']) => (message: string, fields: object = {}) => {
    lines.push({ level, message, fields: { ...fields } });
  };
  return { lines, info: record('info'), warn: record('warn'), error: record('error') };
}
