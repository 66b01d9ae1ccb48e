import type { Alert, AlertRule, Application, AppStatus, Delivery } from '../model/index.ts';
import { deliveryOf } from './owed.ts';

/** An application and the alerts that are kept with its status. */
export interface AlertingApplication {
  readonly application: Application;
  readonly status: AppStatus;
  readonly alerts: readonly Alert[];
}

/** One alert where it is looked at for one destination. */
export interface Candidate {
  readonly place: AlertingApplication;
  readonly alert: Alert;
  readonly rule: AlertRule;
  readonly delivery: Delivery;
}

/** Every alert whose rule names the destination, in the order of the applications. */
export function candidatesFor(destination: string, places: readonly AlertingApplication[], rules: ReadonlyMap<string, AlertRule>): readonly Candidate[] {
  return places.flatMap((place) =>
    place.alerts.flatMap((alert) => {
      const rule = rules.get(alert.rule);
      return rule?.destinations.includes(destination) === true ? [{ place, alert, rule, delivery: deliveryOf(alert, destination) }] : [];
    }),
  );
}
