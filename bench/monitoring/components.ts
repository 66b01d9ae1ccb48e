// The programs of the stack, and the labels that all their objects carry.
import type { JsonObject } from '../../src/model/index.ts';
import type { SeededRandom } from '../../test/support/seeded-random.ts';

export const deployed = ['operator', 'state-metrics', 'dashboards', 'adapter', 'blackbox', 'alert-bridge', 'query', 'gateway', 'web-ui', 'report'] as const;
export const onEveryNode = ['node-agent', 'log-shipper', 'profiler'] as const;
export const stateful = ['metric-store', 'alert-router', 'query-cache', 'rule-engine'] as const;
export const componentNames = [...deployed, ...onEveryNode, ...stateful] as const;

export type Component = (typeof componentNames)[number];

export function selectorOf(component: Component): JsonObject {
  return { 'app.kubernetes.io/component': component, 'app.kubernetes.io/name': component, 'app.kubernetes.io/part-of': 'monitoring' };
}

export function labelsOf(component: Component): JsonObject {
  return { ...selectorOf(component), 'app.kubernetes.io/version': '2.14.0' };
}

export function pick<T>(values: readonly [T, ...T[]], random: SeededRandom): T {
  return values[random.below(values.length)] ?? values[0];
}

/** The part, or nothing, by chance. */
export function maybe(chance: number, part: JsonObject, random: SeededRandom): JsonObject {
  return random.next() < chance ? part : {};
}
