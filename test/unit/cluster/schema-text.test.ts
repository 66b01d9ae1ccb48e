import { expect, test } from 'vitest';
import { compilerVersion, compileSchemas } from '../../../src/cluster/compile-schema.ts';
import { schemasFromText, schemasToText } from '../../../src/cluster/schema-text.ts';
import type { Json, Schema } from '../../../src/model/index.ts';
import { sameSchema } from '../../support/same-schema.ts';

const reference = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });

/** Every sort of schema, twice around. */
const kinds = compileSchemas({
  components: {
    schemas: {
      Tree: {
        type: 'object',
        properties: {
          children: { type: 'array', items: reference('Tree'), 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['a', 'b'] },
          byName: { type: 'object', additionalProperties: reference('Tree'), 'x-kubernetes-map-type': 'atomic' },
          whole: { allOf: [reference('Tree')], 'x-kubernetes-map-type': 'atomic', default: {} },
          size: reference('io.k8s.apimachinery.pkg.api.resource.Quantity'),
          bytes: { type: 'string', format: 'byte' },
          names: { type: 'array', items: { type: 'string', default: '' }, 'x-kubernetes-list-type': 'set' },
          big: { type: 'integer', default: 9_007_199_254_740_993n },
          nothing: { type: 'string', default: null },
          open: { type: 'object', properties: { known: {} }, 'x-kubernetes-preserve-unknown-fields': true },
          ['__proto__']: { type: 'string' },
        },
        'x-kubernetes-group-version-kind': [{ kind: 'Tree' }],
      },
      'io.k8s.Shared': { type: 'object', properties: { tree: reference('Tree') }, 'x-kubernetes-group-version-kind': [{ kind: '__proto__' }] },
    },
  },
});

test('what was written is read back, in every part', () => {
  const back = schemasFromText(schemasToText(kinds));
  expect([...(back?.keys() ?? [])]).toEqual(['Tree', '__proto__']);
  for (const [kind, schema] of kinds) expect(sameSchema(schema, back?.get(kind) ?? { type: 'any' })).toBe(true);
  expect(schemasToText(back ?? new Map())).toBe(schemasToText(kinds));
  expect(schemasFromText(schemasToText(new Map()))).toEqual(new Map());
});

// When this test fails because of a change in what documents compile to, raise `compilerVersion`: users have the old ones on disk.
test('the same document compiles to the same in this version of the compiler', () => {
  expect(compilerVersion).toBe(2);
  expect(schemasToText(kinds)).toBe(
    '{"kinds":[["Tree",0],["__proto__",1]],"table":[' +
      '["struct",0,"children",2,"byName",3,"whole",[4,null,{}],"size",5,"bytes",6,"names",7,"big",[8,null,9007199254740993],"nothing",[8,null,null],"open",9,"__proto__",8],' +
      '["struct",4,"tree",0],["list","map",["a","b"],0],["map",1,0],' +
      '["struct",1,"children",2,"byName",3,"whole",[4,null,{}],"size",5,"bytes",6,"names",7,"big",[8,null,9007199254740993],"nothing",[8,null,null],"open",9,"__proto__",8],' +
      '"quantity","bytes",["list","set",[],[8,null,""]],"plain",["struct",2,"known",10],"any"]}',
  );
});

test('a table as long as it likes is read', () => {
  const rows = Array.from({ length: 50_000 }, (_, at): Json => ['struct', 0, 'next', at + 1]);
  const text = JSON.stringify({ kinds: [['X', 0]], table: [...rows, 'plain'] });
  expect(schemasToText(schemasFromText(text) ?? new Map())).toBe(text);
});

test.each<[string, string]>([
  ['nothing', ''],
  ['half of it', schemasToText(kinds).slice(0, 200)],
  ['something else', '{"kind":"Status"}'],
  ['no table', '{"kinds":[]}'],
  ['a place that is not there', '{"kinds":[["X",1]],"table":["any"]}'],
  ['a place that is no number', '{"kinds":[["X","length"]],"table":["any"]}'],
  ['a kind without a name', '{"kinds":[[1,0]],"table":["any"]}'],
  ['a format that is not known', '{"kinds":[],"table":["date"]}'],
  ['a sort that is not known', '{"kinds":[],"table":[["tuple",0]]}'],
  ['a number for a schema', '{"kinds":[],"table":[7]}'],
  ['a list of no relation', '{"kinds":[],"table":[["list","bag",[],0]]}'],
  ['a list without its element', '{"kinds":[],"table":[["list","set",[]]]}'],
  ['keys that are no text', '{"kinds":[],"table":[["list","map",[1],0]]}'],
  ['a struct with half a field', '{"kinds":[],"table":[["struct",0,"a"]]}'],
  ['a field without a name', '{"kinds":[],"table":[["struct",0,1,0]]}'],
  ['flags that are none', '{"kinds":[],"table":[["struct","x"]]}'],
])('%s is not read', (_name, text) => {
  expect(schemasFromText(text)).toBeUndefined();
});

test('a comparison that finds differences', () => {
  const [tree, other] = [kinds.get('Tree'), schemasFromText(schemasToText(kinds).replace('9007199254740993', '9007199254740992'))?.get('Tree')] as [Schema, Schema];
  expect(sameSchema(tree, other)).toBe(false);
});
