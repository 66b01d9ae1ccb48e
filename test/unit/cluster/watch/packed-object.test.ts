import { describe, expect, test } from 'vitest';
import { createPacker } from '../../../../src/cluster/watch/packed-object.ts';
import { stringifyJson, type Json } from '../../../../src/model/index.ts';

const deployment = (name: string, image: string): Json => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: {
    name,
    namespace: 'shop',
    managedFields: [{ manager: 'setpoint', operation: 'Apply', fieldsV1: { 'f:spec': { 'f:template': { 'f:spec': { 'f:containers': { 'k:{"name":"app"}': { 'f:image': {} } } } } } } }],
  },
  spec: { selector: { matchLabels: { app: name } }, template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: 'app', image, imagePullPolicy: 'Always' }] } } },
});

describe('a packed value', () => {
  test.each<[string, Json]>([
    ['an object', deployment('web', 'web:1')],
    ['an integer that no double holds', { size: 9_007_199_254_740_993n }],
    ['text in many scripts', { text: 'é 漢字 🦊 \u0000 \u2028' }],
    ['a key that JavaScript minds', JSON.parse('{"__proto__":{"a":1}}') as Json],
    ['a megabyte', { data: { blob: 'abcdefghij'.repeat(100_000) } }],
    ['nothing', {}],
  ])('is the same after it was unpacked: %s', (_what, value) => {
    const packer = createPacker();
    expect(stringifyJson(packer.unpack(packer.pack(value)))).toBe(stringifyJson(value));
    const later = createPacker();
    later.pack(deployment('first', 'first:1'));
    expect(stringifyJson(later.unpack(later.pack(value)))).toBe(stringifyJson(value));
  });

  test('takes little room beside others that are like it', () => {
    const packer = createPacker();
    packer.pack(deployment('web', 'web:1'));
    const packed = packer.pack(deployment('checkout', 'registry.example.org/checkout:2.7.1'));
    expect(packed.length).toBeLessThan(100);
    expect(stringifyJson(deployment('checkout', 'registry.example.org/checkout:2.7.1')).length).toBeGreaterThan(400);
  });

  test('is not held back by a first one that was large', () => {
    const packer = createPacker();
    packer.pack({ data: { blob: 'x'.repeat(500_000) } });
    const values = Array.from({ length: 20 }, (_, at) => deployment(`app-${at}`, `app:${at}`));
    expect(values.map((value) => packer.unpack(packer.pack(value)))).toEqual(values);
  });
});
