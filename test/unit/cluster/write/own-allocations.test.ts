import { describe, expect, test } from 'vitest';
import { withoutOwnAllocations } from '../../../../src/cluster/write/own-allocations.ts';
import type { JsonObject, KubeObject } from '../../../../src/model/index.ts';

function object(fields: JsonObject, kind = 'ConfigMap'): KubeObject {
  return { apiVersion: 'v1', kind, metadata: { name: 'a' }, ...fields };
}

describe('of a Service that is tried beside the live one', () => {
  const spec = { clusterIP: '10.0.0.1', clusterIPs: ['10.0.0.1'], healthCheckNodePort: 31_000, ports: [{ port: 80, nodePort: 30_000 }, { port: 81 }] };
  const live = object({ spec }, 'Service');

  test('what the live one holds is left out', () => {
    expect(withoutOwnAllocations(live, live)['spec']).toEqual({ ports: [{ port: 80 }, { port: 81 }] });
  });

  test('what it does not hold stays', () => {
    const wanted = object({ spec: { clusterIP: '10.0.0.2', ports: [{ port: 80, nodePort: 30_001 }] } }, 'Service');
    expect(withoutOwnAllocations(wanted, live)).toEqual(wanted);
  });

  test('that it has no address stays too', () => {
    const headless = object({ spec: { clusterIP: 'None' } }, 'Service');
    expect(withoutOwnAllocations(headless, headless)).toEqual(headless);
  });

  test('other kinds stay as they are', () => {
    const other = object({ spec });
    expect(withoutOwnAllocations(other, live)).toBe(other);
  });
});
