import type { CheckedLayer } from './check-layer.ts';
import { configKeyNames, type ConfigKey } from './config-keys.ts';
import { placeOf, type Origin } from './origin.ts';
import type { Settings } from './settings-schema.ts';

/** A value, and who had the last word. */
export interface Said {
  readonly value: Settings[ConfigKey];
  readonly raw: unknown;
  readonly origin: Origin;
  /** Of a part of it. */
  originOf(path: readonly PropertyKey[]): Origin;
}

export type AllSaid = ReadonlyMap<ConfigKey, Said>;

/** Of each key what the first layer says that says anything. */
export function lastWords(layers: readonly CheckedLayer[]): AllSaid {
  return new Map(
    configKeyNames.flatMap((key): [ConfigKey, Said][] => {
      const layer = layers.find(({ values }) => values[key] !== undefined);
      return layer === undefined ? [] : [[key, { value: layer.values[key], raw: layer.raw[key], origin: layer.originOf([key]), originOf: layer.originOf }]];
    }),
  );
}

/** How a message names a key that was said. */
export function placeIn(said: AllSaid, key: ConfigKey): string {
  return placeOf(said.get(key)?.origin ?? { type: 'default' }, key);
}
