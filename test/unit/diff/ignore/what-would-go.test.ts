import { expect, test } from 'vitest';
import { neutralise } from '../../../../src/diff/ignore/index.ts';
import type { Json, JsonObject } from '../../../../src/model/index.ts';
import { list, map, struct, text } from '../schema.ts';
import { deepFreeze, deployment, ignoresOf } from './fixtures.ts';

const toleration = struct({ key: text, effect: text, seconds: text });
const { schema } = struct({
  apiVersion: text,
  kind: text,
  metadata: struct({ name: text, namespace: text }),
  spec: struct({
    replicas: text,
    selector: map(text, true),
    rule: struct({ a: text, b: text }, true),
    labels: map(text),
    args: list('atomic', text),
    tolerations: list('atomic', toleration),
    ports: list('map', struct({ name: text, port: text }), 'name'),
    free: { schema: { type: 'any' } },
  }),
});

interface Row {
  readonly path: string;
  readonly git: JsonObject;
  readonly live: JsonObject;
  readonly expected: JsonObject;
  /** What we hold of the spec, and others. */
  readonly ours?: JsonObject;
  readonly theirs?: JsonObject;
}

function managed(manager: string, fields: JsonObject | undefined): readonly Json[] {
  return fields === undefined ? [] : [{ manager, operation: 'Apply', apiVersion: 'apps/v1', fieldsType: 'FieldsV1', fieldsV1: { 'f:spec': fields } }];
}

const [slot, blue] = [{ app: 'web', slot: 'blue' }, { app: 'web' }];
const [webPort, adminPort] = [{ name: 'web', port: 80 }, { name: 'admin', port: 81 }];

test.each<[string, Row]>([
  ['a key of a map that is replaced whole is sent along', { path: 'spec.selector.slot', git: { selector: blue }, live: { selector: slot }, expected: { selector: slot } }],
  ['so is one of an empty map', { path: 'spec.selector.slot', git: { selector: {} }, live: { selector: slot }, expected: { selector: { slot: 'blue' } } }],
  ['so is one of a map that Git sets to null', { path: 'spec.selector.slot', git: { selector: null }, live: { selector: slot }, expected: { selector: { slot: 'blue' } } }],
  ['a key that no rule is about goes', { path: 'spec.selector.slot', git: { selector: blue }, live: { selector: { ...slot, other: 'x' } }, expected: { selector: slot } }],
  ['a map that Git does not mention stays unmentioned', { path: 'spec.selector.slot', git: { replicas: 1 }, live: { selector: slot }, expected: { replicas: 1 } }],
  ['a key of a map that is merged stays unmentioned', { path: 'spec.labels.slot', git: { labels: blue }, live: { labels: slot }, expected: { labels: blue } }],
  ['a field of a type that is replaced whole is sent along', { path: 'spec.rule.b', git: { rule: { a: 1 } }, live: { rule: { a: 2, b: 3 } }, expected: { rule: { a: 1, b: 3 } } }],
  ['an item of a list that is replaced whole is sent along, where it stands', { path: 'spec.args["x"]', git: { args: ['a', 'b'] }, live: { args: ['a', 'x', 'b'] }, expected: { args: ['a', 'x', 'b'] } }],
  [
    'so is one that is chosen by a field of it',
    { path: 'spec.tolerations[key=spot]', git: { tolerations: [{ key: 'a' }] }, live: { tolerations: [{ key: 'spot', effect: 'x' }, { key: 'a' }] }, expected: { tolerations: [{ key: 'spot', effect: 'x' }, { key: 'a' }] } },
  ],
  ['so is a field of an item', { path: 'spec.tolerations[key=a].seconds', git: { tolerations: [{ key: 'a' }] }, live: { tolerations: [{ key: 'a', seconds: 5 }] }, expected: { tolerations: [{ key: 'a', seconds: 5 }] } }],
  ['an item of a list that is merged stays unmentioned', { path: 'spec.ports[name=admin]', git: { ports: [webPort] }, live: { ports: [webPort, adminPort] }, expected: { ports: [webPort] } }],
  ['a list of which nothing is known is replaced whole', { path: 'spec.free.l["x"]', git: { free: { l: ['a'] } }, live: { free: { l: ['a', 'x'] } }, expected: { free: { l: ['a', 'x'] } } }],
  ['a field that Git dropped and only we hold is sent along', { path: 'spec.replicas', git: {}, live: { replicas: 5 }, ours: { 'f:replicas': {} }, expected: { replicas: 5 } }],
  ['a field that Git dropped and others hold too is let go of', { path: 'spec.replicas', git: {}, live: { replicas: 5 }, ours: { 'f:replicas': {} }, theirs: { 'f:replicas': {} }, expected: {} }],
  [
    'so are a key and an item that only we hold',
    {
      path: 'spec.*[*]',
      git: { ports: [webPort], labels: {} },
      live: { ports: [webPort, adminPort], labels: { mine: '1', yours: '2' } },
      ours: { 'f:ports': { 'k:{"name":"admin"}': { '.': {}, 'f:port': {} } }, 'f:labels': { 'f:mine': {} } },
      theirs: { 'f:labels': { 'f:yours': {} } },
      expected: { ports: [webPort, adminPort], labels: { mine: '1' } },
    },
  ],
])('%s', (_name, { path, git, live, ours, theirs, expected }) => {
  const managedFields = [...managed('setpoint', ours), ...managed('other', theirs)];
  const [object, actual] = [deepFreeze(deployment({ spec: git })), deepFreeze(deployment({ spec: live }, { managedFields }))];
  const ignores = ignoresOf({ paths: [path] });
  const result = neutralise(object, actual, { ignores, fillIn: false, schema });
  expect(result['spec']).toEqual(expected);
  expect(neutralise(result, actual, { ignores, fillIn: false, schema })).toEqual(result);
});
