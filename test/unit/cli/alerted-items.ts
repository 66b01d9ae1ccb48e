// Applications with alerts, as a source of alerts gives them.
import type { AlertedItem } from '../../../src/cli/alerts-source.ts';
import { emptyStatus, plainApplication, type Alert, type Application, type Delivery } from '../../../src/model/index.ts';
import { ago, episode } from './status-items.ts';

export function alert(parts: Partial<Alert> = {}): Alert {
  return {
    ...{ id: 'drf_1', rule: 'drift', severity: 'warning', startedAt: ago(360), firedAt: ago(60), resolvedAt: null, fingerprint: 'f', episodes: ['drf_1'], transition: 1, transitionAt: ago(60) },
    deliveries: {},
    ...parts,
  };
}

export const told: Delivery = { told: 1, toldAt: ago(50), toldState: 'firing' };
export const waiting: Delivery = { told: 0, toldAt: null, toldState: null, claim: { notification: 'evt_2', transition: 1, at: ago(50), attempts: 1, nextTryAt: ago(-30), error: 'it answered 503' } };
export const dead: Delivery = { told: 0, toldAt: null, toldState: null, dead: { notification: 'evt_3', transition: 1, at: ago(40), error: 'it answered 404' } };

export function alerted(alerts: readonly Alert[], parts: Partial<Application> & { readonly answeredReplay?: string } = {}): AlertedItem {
  const { answeredReplay = null, name = 'web', ...others } = parts;
  const application = plainApplication({ name, id: `shop/${name}`, namespace: 'shop', labels: { tier: '3' }, sources: [], ...others });
  return { application, status: { ...emptyStatus(application.id), episodes: [episode()], alerts, answeredReplay }, keeper: 'setpoint' };
}
