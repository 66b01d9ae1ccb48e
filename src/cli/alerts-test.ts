import { randomBytes } from 'node:crypto';
import type { Alerting } from '../config/index.ts';
import { SetpointError, type DestinationConfig, type Notification, type SendOutcome } from '../model/index.ts';
import { createDestination, createHttp, readSecret } from '../notify/index.ts';
import type { CliDependencies } from './dependencies.ts';
import { exitCode } from './exit-code.ts';
import { inColumns, type Cell } from './format/application-columns.ts';
import { oneLine, printable } from './format/index.ts';
import { loadAgentConfig } from './load-agent-config.ts';
import { untilInterrupted } from './status-interrupt.ts';
import { nearestName } from './status-nearest-name.ts';

export interface AlertsTestFlags {
  readonly dest?: string | undefined;
  readonly config?: string;
}

export async function runAlertsTest({ dest, config: named }: AlertsTestFlags, { process, output, finish }: CliDependencies): Promise<void> {
  const warn = (text: string): void => void process.stderr.write(`setpoint: ${oneLine(text)}\n`);
  const { config } = await loadAgentConfig(named === undefined ? {} : { config: named }, process);
  const { alerting } = config;
  if (dest === undefined) {
    output.write(destinationsTable(alerting));
    return finish(exitCode.done);
  }
  const destination = destinationOf(alerting, dest);
  const onTemplateFailed = (): void => warn(`a template of ${dest} cannot be used: the built-in text was sent`);
  const outcome = await sendTest(destination, { allowPrivate: alerting.allowPrivate, onTemplateFailed }, untilInterrupted(process));
  if (outcome.type === 'sent') output.write(`${printable(dest)} (${destination.type}) has taken the test message\n`);
  else warn(`${dest} (${destination.type}) ${unsent[outcome.type]}: ${outcome.why}`);
  finish(outcome.type === 'sent' ? exitCode.done : exitCode.error);
}

const unsent: Readonly<Record<Exclude<SendOutcome['type'], 'sent'>, string>> = {
  retry: 'has not taken the test message now, and may another time',
  refused: 'refuses the test message',
  gone: 'is gone for good',
};

interface Sending {
  readonly allowPrivate: readonly string[];
  readonly onTemplateFailed: () => void;
}

async function sendTest(config: DestinationConfig, { allowPrivate, onTemplateFailed }: Sending, signal: AbortSignal): Promise<SendOutcome> {
  const http = createHttp({ allowPrivate });
  const now = (): Date => new Date();
  // There is only one message: nobody waits for the next turn, and the process need not either.
  const destination = createDestination(config, { http, readSecret, now, onTemplateFailed, setTimer: setLooseTimer });
  try {
    return await destination.send(testNotification(now(), randomBytes(8).toString('hex')), signal);
  } finally {
    await destination.close();
    await http.close();
  }
}

/** One that does not keep the process. */
function setLooseTimer(callback: () => void, delayMs: number): () => void {
  const timer = setTimeout(callback, delayMs).unref();
  return () => clearTimeout(timer);
}

export function testNotification(now: Date, unique: string): Notification {
  const at = now.toISOString();
  return {
    id: `evt_test${unique}`,
    type: 'test',
    at,
    rule: { name: 'test', severity: 'info' },
    cluster: 'test',
    subjects: [
      {
        alert: { id: `drf_test${unique}`, fingerprint: 'test', startedAt: at, endedAt: null },
        application: { namespace: null, name: 'test', labels: {} },
        cause: null,
        message: 'Somebody asked for a test of this destination.',
        revision: { repo: '', ref: '', sha: null, path: null },
        resources: [],
        truncatedResources: 0,
      },
    ],
    truncatedSubjects: 0,
  };
}

export function destinationOf({ destinations }: Pick<Alerting, 'destinations'>, name: string): DestinationConfig {
  const found = destinations.find((destination) => destination.name === name);
  if (found !== undefined) return found;
  const names = destinations.map((destination) => destination.name);
  const nearest = nearestName(name, names);
  const known = names.length === 0 ? 'the configuration has none' : nearest === undefined ? `there are ${names.join(', ')}` : `did you mean ${nearest}?`;
  throw new SetpointError('Usage', `there is no destination ${name === '' ? 'without a name' : name}: ${known}`);
}

/** Nothing of where they are: that may be a secret. */
export function destinationsTable({ destinations, rules }: Pick<Alerting, 'destinations' | 'rules'>): string {
  if (destinations.length === 0) return 'no destinations are configured: --config names another file\n';
  const rows = destinations.map(({ name, type }) => [name, type, rules.filter((rule) => rule.destinations.includes(name)).map((rule) => rule.name).join(', ') || '-']);
  return inColumns([['NAME', 'TYPE', 'RULES'], ...rows].map((row) => row.map((text): Cell => ({ text: printable(text) }))));
}
