import { describe, expect, test } from 'vitest';
import { SetpointError, type ResourceKey, type Step } from '../../../src/model/index.ts';
import { carryOut, stopping } from '../../../src/sync/index.ts';
import { applyOf, recordingApplier, stepOf } from './recording-applier.ts';

const signal = new AbortController().signal;
const many = (names: readonly string[], wave = 0): readonly Step[] => names.map((name) => applyOf(name, { wave }));
const configMap = (name: string): string => `/ConfigMap/shop/${name}`;
const applies = (calls: readonly string[]): readonly string[] => calls.filter((call) => call.startsWith('apply'));

describe('each step', () => {
  test.each<[Step, string]>([
    [applyOf('a'), 'apply a'],
    [{ ...applyOf('a'), replace: true } as Step, 'replace a'],
    [stepOf('recreate', { uid: '1', propagation: 'foreground' }), 'recreate 1 foreground recreate'],
    [stepOf('hook', {}), 'create hook'],
    [stepOf('hook', { run: 'r7' }), 'create r7 hook'],
    [stepOf('hook', { replaces: '2' }), 'recreate 2 foreground hook'],
  ])('%o writes, and the write is told', async (step, call) => {
    const applier = recordingApplier();
    const name = call.split(' ').at(-1);
    expect(await carryOut([step], applier, { signal })).toEqual([{ type: 'applied', key: step.key }]);
    expect(applier.calls).toEqual([call, `wrote ${name}`]);
  });

  test.each<[Step, string]>([
    [stepOf('prune', { uid: '1', propagation: 'orphan' }), 'remove 1 orphan prune'],
    [stepOf('delete-hook', { uid: '2' }), 'remove 2 foreground delete-hook'],
  ])('%o deletes, and that it is gone is told', async (step, call) => {
    const applier = recordingApplier();
    expect(await carryOut([step], applier, { signal })).toEqual([{ type: 'pruned', key: step.key }]);
    expect(applier.calls).toEqual([call, `wrote ${step.type}: gone`]);
  });

  test('a hold is passed on with its reason, and asks for nothing', async () => {
    const hold = stepOf('hold', { code: 'Denied', why: 'because' });
    const applier = recordingApplier({ mayWrite: () => expect.fail('there is nothing to write') });
    expect(await carryOut([hold], applier, { signal })).toEqual([{ type: 'held', key: hold.key, code: 'Denied', why: 'because' }]);
    expect(applier.calls).toEqual([]);
  });

  test('a deletion that finalizers hold back is told with what is left', async () => {
    const left = { apiVersion: 'v1', kind: 'Job', metadata: { name: 'prune', deletionTimestamp: 'now' } };
    const applier = recordingApplier({ answer: () => ({ type: 'deleted', left }) });
    expect(await carryOut([stepOf('prune', { uid: '1', propagation: 'foreground' })], applier, { signal })).toMatchObject([{ type: 'pruned' }]);
    expect(applier.calls).toContain('wrote prune');
  });

  test('what is not the object any more that was to be pruned is held as not ours', async () => {
    const applier = recordingApplier({ answer: () => ({ type: 'replaced' }) });
    expect(await carryOut([stepOf('prune', { uid: '1', propagation: 'foreground' })], applier, { signal })).toMatchObject([{ type: 'held', code: 'NotOurs' }]);
    expect(applier.calls).toEqual(['remove 1 foreground prune']);
  });

  test('what was left to others is named beside what was applied', async () => {
    const left = [
      { field: '.spec.replicas', manager: 'hpa', why: 'theirs' },
      { field: '.spec.paused', manager: 'hpa', why: 'theirs' },
    ];
    const applier = recordingApplier({ answer: () => ({ type: 'applied', object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } }, left }) });
    const key = configMap('a');
    expect(await carryOut([applyOf('a')], applier, { signal })).toEqual([
      { type: 'applied', key },
      { type: 'held', key, code: 'Contested', why: 'theirs' },
    ]);
  });

  test('an object of which all is left to others is held, and nothing is told', async () => {
    const applier = recordingApplier({ answer: () => ({ type: 'contested', left: [{ field: '.x', manager: 'm', why: 'theirs' }] }) });
    expect(await carryOut([applyOf('a')], applier, { signal })).toEqual([{ type: 'held', key: configMap('a'), code: 'Contested', why: 'theirs' }]);
    expect(applier.calls).toEqual(['apply a']);
  });
});

describe('a failure', () => {
  test.each([
    [{ type: 'invalid', message: 'm' }, 'later'],
    [{ type: 'denied', message: 'm' }, 'later'],
    [{ type: 'replace', message: 'm' }, 'later'],
    [{ type: 'unconfirmed', scope: 'kind', code: 'Forbidden', message: 'm' }, 'later'],
    [{ type: 'unknown', code: 'KindNotServed', message: 'm' }, 'later'],
    [{ type: 'unknown', code: 'ObjectUnsettled', message: 'm' }, 'soon'],
    [{ type: 'unknown', code: 'ClusterError', message: 'm' }, 'soon'],
    [{ type: 'terminating', message: 'm' }, 'soon'],
  ] as const)('%o is to be tried again %s', async (answer, retry) => {
    const applier = recordingApplier({ answer: () => answer });
    expect(await carryOut([applyOf('a')], applier, { signal })).toEqual([{ type: 'failed', key: configMap('a'), why: 'm', retry }]);
    expect(applier.calls).toEqual(['apply a']);
  });

  test.each([
    [new Error('reset'), 'soon'],
    [new SetpointError('ClusterUnreachable', 'reset'), 'soon'],
    [new SetpointError('Forbidden', 'reset'), 'later'],
  ] as const)('%o that is thrown is an outcome too, to be tried again %s', async (error, retry) => {
    const answer = (): never => {
      throw error;
    };
    expect(await carryOut([applyOf('a')], recordingApplier({ answer }), { signal })).toEqual([{ type: 'failed', key: configMap('a'), why: 'reset', retry }]);
  });

  test.each(['exists', 'replaced'] as const)('%s on the way to create it is to be looked at soon', async (type) => {
    const applier = recordingApplier({ answer: () => ({ type }) });
    expect(await carryOut([stepOf('hook', {})], applier, { signal })).toMatchObject([{ type: 'failed', retry: 'soon' }]);
  });

  test('keeps nothing of its wave back, whatever the kind, and all of a later wave', async () => {
    const steps = [...many(['a', 'b', 'c']), applyOf('d', { kind: '/Secret/shop' }), ...many(['e'], 1)];
    const applier = recordingApplier({ answer: (call) => (call === 'apply b' ? { type: 'invalid', message: 'no' } : undefined) });
    const outcomes = await carryOut(steps, applier, { signal });
    expect(outcomes.map(({ type }) => type)).toEqual(['applied', 'failed', 'applied', 'applied']);
    expect(applies(applier.calls)).toEqual(['apply a', 'apply b', 'apply c', 'apply d']);
  });

  test('keeps back a later phase of the same wave number', async () => {
    const steps = [applyOf('a', { phase: 'PreSync' }), applyOf('b')];
    const applier = recordingApplier({ answer: () => ({ type: 'denied', message: 'no' }) });
    expect(await carryOut(steps, applier, { signal })).toHaveLength(1);
  });

  test('is not what a hold is: later waves go on', async () => {
    const applier = recordingApplier();
    await carryOut([stepOf('hold', { code: 'Contested', why: 'theirs' }), ...many(['a'], 1)], applier, { signal });
    expect(applies(applier.calls)).toEqual(['apply a']);
  });
});

describe('order', () => {
  test('nothing after the first wait is done', async () => {
    const wait = stepOf('wait', { why: 'until it is healthy' });
    const applier = recordingApplier();
    const outcomes = await carryOut([...many(['a']), wait, ...many(['b'])], applier, { signal });
    expect(outcomes).toEqual([{ type: 'applied', key: configMap('a') }]);
    expect(applier.calls).toEqual(['apply a', 'wrote a']);
  });

  test('at most four of a kind are under way, by default', async () => {
    const applier = recordingApplier();
    const outcomes = await carryOut(many(['a', 'b', 'c', 'd', 'e', 'f']), applier, { signal });
    expect(applier.mostAtOnce()).toBe(4);
    expect(outcomes.map(({ key }) => key)).toEqual(['a', 'b', 'c', 'd', 'e', 'f'].map(configMap));
  });

  test('as many as is said', async () => {
    const applier = recordingApplier();
    await carryOut(many(['a', 'b', 'c']), applier, { signal, concurrency: 2 });
    expect(applier.mostAtOnce()).toBe(2);
  });

  test.each<[string, readonly Step[]]>([
    ['kinds', [applyOf('a', { kind: '/Namespace/' }), applyOf('b'), applyOf('c', { kind: '/Secret/shop' })]],
    ['waves', [applyOf('a', { wave: -1 }), applyOf('b'), applyOf('c', { wave: 2 })]],
    ['phases', [applyOf('a', { phase: 'PreSync' }), applyOf('b'), applyOf('c', { phase: 'PostSync' })]],
    ['writes and deletions', [stepOf('recreate', { uid: '1', propagation: 'background' }), stepOf('prune', { uid: '2', propagation: 'background' })]],
  ])('different %s wait for each other', async (_what, steps) => {
    const applier = recordingApplier();
    await carryOut(steps, applier, { signal });
    expect(applier.mostAtOnce()).toBe(1);
    expect(applier.calls.filter((call) => call.startsWith('wrote'))).toHaveLength(steps.length);
  });

  test('outcomes come in the order of the steps, whichever is done first', async () => {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const answer = (call: string): Promise<undefined> | undefined => {
      if (call === 'apply b') resolve(undefined);
      return call === 'apply a' ? promise : undefined;
    };
    const outcomes = await carryOut(many(['a', 'b']), recordingApplier({ answer }), { signal });
    expect(outcomes.map(({ key }) => key)).toEqual([configMap('a'), configMap('b')]);
  });
});

test('what was done before somebody forbids the rest is told all the same', async () => {
  const told: string[] = [];
  let writes = 0;
  const mayWrite = (): void => {
    if ((writes += 1) > 2) throw new SetpointError('ObjectUnsettled', 'changed meanwhile');
  };
  const onOutcome = ({ type, key }: { readonly type: string; readonly key: ResourceKey }): void => void told.push(`${type} ${key}`);
  await expect(carryOut(many(['a', 'b', 'c', 'd']), recordingApplier({ mayWrite }), { signal, concurrency: 1, onOutcome })).rejects.toThrow('changed meanwhile');
  expect(told).toEqual([`applied ${configMap('a')}`, `applied ${configMap('b')}`]);
});

describe('a definition', () => {
  const definition = applyOf('things.example.com', { kind: 'apiextensions.k8s.io/CustomResourceDefinition/' });
  const thing = applyOf('one', { kind: 'example.com/Thing/shop' });

  test('is waited for before what comes after it', async () => {
    const applier = recordingApplier();
    await carryOut([definition, thing], applier, { signal });
    expect(applier.calls).toEqual(['apply things.example.com', 'wrote things.example.com', 'established things.example.com within 10000', 'apply one', 'wrote one']);
  });

  test('that is not established in time has failed, for now', async () => {
    const applier = recordingApplier({ untilEstablished: () => Promise.resolve(false) });
    expect(await carryOut([definition], applier, { signal })).toMatchObject([{ type: 'failed', retry: 'soon' }]);
  });

  test('is not waited for where the process is to end', async () => {
    const end = new AbortController();
    const applier = recordingApplier({
      untilEstablished: (_definition, options) => {
        end.abort(stopping);
        return Promise.reject(options.signal.reason as Error);
      },
    });
    expect(await carryOut([definition, thing], applier, { signal: end.signal })).toEqual([{ type: 'applied', key: definition.key }]);
  });
});

test('no steps, no outcomes', async () => {
  expect(await carryOut([], recordingApplier(), { signal })).toEqual([]);
});

test('the key of a step is the key of its outcome', async () => {
  const key = 'apps/Deployment/shop/web' as ResourceKey;
  expect(await carryOut([{ type: 'apply', key, phase: 'Sync', wave: 0, why: 'missing' }], recordingApplier(), { signal })).toEqual([{ type: 'applied', key }]);
});
