import type { Alert, Delivery } from '../model/index.ts';
import { timeText } from './format/attribution.ts';
import { oneLine, printable } from './format/index.ts';

/** How far an alert got with each destination: `oncall: dead evt_1: it answered 404; team: told at 2026-03-01T12:00:00Z`. */
export function deliveriesText({ deliveries }: Alert): string {
  const byName = Object.entries(deliveries).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const texts = byName.map(([destination, delivery]) => `${printable(destination)}: ${deliveryText(delivery)}`);
  return texts.join('; ') || '-';
}

export function deliveryText({ toldAt, claim, dead }: Delivery): string {
  const told = toldAt === null ? [] : [`told at ${timeText(toldAt)}`];
  const waiting = claim === undefined ? [] : [`waiting for try ${claim.attempts + 1} at ${timeText(claim.nextTryAt)}${claim.error === undefined ? '' : ` (${oneLine(claim.error)})`}`];
  const given = dead === undefined ? [] : [`dead ${printable(dead.notification)}: ${oneLine(dead.error)}`];
  return [...told, ...waiting, ...given].join(', ') || 'not told yet';
}

export function hasDeadLetter({ deliveries }: Alert): boolean {
  return Object.values(deliveries).some(({ dead }) => dead !== undefined);
}

export function isWaiting({ deliveries }: Alert): boolean {
  return Object.values(deliveries).some(({ claim }) => claim !== undefined);
}
