import { replayText, SetpointError, type Alert, type DeadLetter } from '../model/index.ts';
import { deliveriesText } from './alerts-delivery-text.ts';
import type { AlertedItem } from './alerts-source.ts';

/** What somebody wants sent again: of one application, because each keeps its own record. */
export interface ReplayWish {
  readonly application: string;
  /** For the agent. */
  readonly text: string;
  readonly letters: readonly { readonly notification: string; readonly destination: string }[];
}

const mostNamed = 10;

/** The dead letters that are meant by the id of a notification, or of an alert. Throws where there is none, and names those that there are. */
export function replayWishes(items: readonly AlertedItem[], id: string, now: Date): readonly ReplayWish[] {
  const wishes = items.flatMap((item): readonly ReplayWish[] => {
    const letters = lettersOf(item).filter(({ alert, letter }) => alert.id === id || letter.notification === id);
    if (letters.length === 0) return [];
    const meant = letters.map(({ letter: { notification }, destination }) => ({ notification, destination }));
    return [{ application: item.application.id, text: textFor(item, letters, now), letters: meant }];
  });
  if (wishes.length > 0) return wishes;
  throw new SetpointError('Usage', `${whyNot(items, id)}; ${whatThereIs(items)}`);
}

interface Letter {
  readonly alert: Alert;
  readonly destination: string;
  readonly letter: DeadLetter;
}

function lettersOf({ status }: AlertedItem): readonly Letter[] {
  return status.alerts.flatMap((alert) => Object.entries(alert.deliveries).flatMap(([destination, { dead }]) => (dead === undefined ? [] : [{ alert, destination, letter: dead }])));
}

/** What was asked for before and has not been looked at stays asked for. */
function textFor(item: AlertedItem, letters: readonly Letter[], now: Date): string {
  const at = now.toISOString();
  const notifications = [...new Set(letters.map(({ letter }) => letter.notification))];
  const diedAt = new Map(lettersOf(item).map(({ letter }) => [letter.notification, Date.parse(letter.at)]));
  return replayText(
    notifications.map((notification) => ({ notification, at })),
    { before: item.application.replay?.id, isOpen: (asked) => (diedAt.get(asked.notification) ?? Infinity) <= Date.parse(asked.at) && item.status.answeredReplay !== item.application.replay?.id },
  );
}

function whyNot(items: readonly AlertedItem[], id: string): string {
  const all = items.flatMap(({ application, status }) => status.alerts.map((alert) => ({ application, alert })));
  const own = all.find(({ alert }) => alert.id === id);
  if (own !== undefined) return `${id} of ${own.application.id} has no dead letter (${deliveriesText(own.alert)})`;
  const claimed = all.find(({ alert }) => Object.values(alert.deliveries).some(({ claim }) => claim?.notification === id));
  if (claimed !== undefined) return `${id} of ${claimed.application.id} is no dead letter, but on its way (${deliveriesText(claimed.alert)})`;
  return `there is no dead letter ${id === '' ? 'without a name' : id}`;
}

function whatThereIs(items: readonly AlertedItem[]): string {
  const named = items.flatMap((item) => lettersOf(item).map(({ destination, letter }) => `${letter.notification} (${item.application.id} to ${destination})`));
  if (named.length === 0) return 'there are no dead letters here: -A looks in all namespaces';
  return `there are ${named.slice(0, mostNamed).join(', ')}${named.length > mostNamed ? ` and ${named.length - mostNamed} more` : ''}`;
}
