import { describe, expect, test } from 'vitest';
import { createSightings, isNews, unseen, type Sight, type Sightings, type SightingOptions } from '../../../../src/cluster/watch/sight.ts';
import type { KubeObject, ServedKind } from '../../../../src/model/index.ts';
import { recordingLog } from '../../../support/recording-log.ts';

const kind: ServedKind = { group: '', version: 'v1', kind: 'ConfigMap', resource: 'configmaps', namespaced: true, hasStatus: false };

interface Shown {
  readonly version: string;
  readonly uid?: string;
  readonly data?: string;
}

const object = ({ version, uid = 'u1', data = 'x' }: Shown): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', namespace: 'shop', uid, resourceVersion: version },
  data: { a: data },
});

const dataOf = ({ data }: KubeObject): string => JSON.stringify(data);

function sightings(more: Partial<SightingOptions> = {}): Sightings {
  return createSightings(kind, {
    digest: dataOf,
    describeChange: (before, after) => ({ writers: [], paths: dataOf(before) === dataOf(after) ? [] : ['data.a'] }),
    now: () => new Date('2030-01-01T00:00:00Z'),
    log: recordingLog(),
    ...more,
  });
}

function shown({ objectOf }: Sightings, { content }: Sight): KubeObject | undefined {
  return content === undefined ? undefined : objectOf(content);
}

describe('what is seen', () => {
  test('is the newest, in whatever order it comes', () => {
    const of = sightings();
    const newest = of.see(unseen, object({ version: '10', data: 'ten' }));
    for (const version of ['10', '9', '2']) expect(of.see(newest, object({ version, data: 'old' }))).toBe(newest);
    expect(shown(of, newest)).toEqual(object({ version: '10', data: 'ten' }));
  });

  test('is not undone by an older deletion', () => {
    const of = sightings();
    const sight = of.see(unseen, object({ version: '10' }));
    expect(of.lose(sight, '9')).toBe(sight);
    expect(of.lose(sight, '11')).toEqual({ version: '11', content: undefined });
  });

  test('after a deletion is not what was there before it', () => {
    const of = sightings();
    const gone = of.lose(of.see(unseen, object({ version: '10' })), '12');
    expect(of.see(gone, object({ version: '11' }))).toBe(gone);
    expect(shown(of, of.see(gone, object({ version: '13', uid: 'u2' })))).toMatchObject({ metadata: { uid: 'u2' } });
  });

  test('is gone where a server that does not count says that it is', () => {
    const of = sightings();
    const sight = of.see(of.see(unseen, object({ version: 'b', data: '1' })), object({ version: 'a', data: '2' }));
    expect(shown(of, sight)).toMatchObject({ data: { a: '2' } });
    expect(of.lose(sight, 'a').content).toBeUndefined();
  });
});

describe('news', () => {
  const of = sightings();
  const first = of.see(unseen, object({ version: '1' }));
  test.each<[string, Sight, boolean]>([
    ['is another content', of.see(first, object({ version: '2', data: 'y' })), true],
    ['is an object by the same name', of.see(first, object({ version: '2', uid: 'u2' })), true],
    ['is that it is gone', of.lose(first, '2'), true],
    ['is not a version that changes nothing worth it', of.see(first, object({ version: '2' })), false],
  ])('%s', (_name, after, news) => {
    expect(isNews(first, after)).toBe(news);
  });
});

describe('the journal', () => {
  const journal = (of: Sightings, { content }: Sight): ReturnType<Sightings['journalOf']> => (content === undefined ? [] : of.journalOf(content));

  test('names each change, and the gap it was made in', () => {
    const of = sightings();
    const first = of.see(unseen, object({ version: '1' }));
    const second = of.see(first, object({ version: '2', data: 'y' }), new Date('2029-12-31T23:00:00Z'));
    const third = of.see(second, object({ version: '3', data: 'y' }));
    expect(journal(of, first)).toEqual([]);
    expect(journal(of, third)).toEqual([
      { resourceVersion: '2', seenAt: '2030-01-01T00:00:00.000Z', notBefore: '2029-12-31T23:00:00.000Z', writers: [], paths: ['data.a'] },
    ]);
  });

  test('keeps the last twenty, of at most fifty places each', () => {
    const many = Array.from({ length: 200 }, (_, at) => `data.${at}`);
    const of = sightings({ describeChange: () => ({ writers: [], paths: many }) });
    let sight = unseen;
    for (let version = 1; version <= 40; version += 1) sight = of.see(sight, object({ version: String(version) }));
    const steps = journal(of, sight);
    expect(steps.map(({ resourceVersion }) => resourceVersion)).toEqual(Array.from({ length: 20 }, (_, at) => String(at + 21)));
    expect(steps[0]?.paths).toEqual(many.slice(0, 50));
  });

  test('of an object that was made again begins again', () => {
    const of = sightings();
    const changed = of.see(of.see(unseen, object({ version: '1' })), object({ version: '2', data: 'y' }));
    expect(journal(of, changed)).toHaveLength(1);
    expect(journal(of, of.see(changed, object({ version: '3', uid: 'u2', data: 'z' })))).toEqual([]);
  });
});

describe('a function that throws costs its own answer only', () => {
  test('the digest: every version is news', () => {
    const log = recordingLog();
    const of = sightings({ log, digest: () => { throw new Error('no digest'); } });
    const first = of.see(unseen, object({ version: '1' }));
    expect(isNews(first, of.see(first, object({ version: '2' })))).toBe(true);
    expect(log.lines[0]).toMatchObject({ level: 'error', fields: { name: 'a', reason: 'Error: no digest' } });
  });

  test('the description: the content is taken in', () => {
    const log = recordingLog();
    const of = sightings({ log, describeChange: () => { throw new Error('no words'); } });
    const second = of.see(of.see(unseen, object({ version: '1' })), object({ version: '2', data: 'y' }));
    expect(shown(of, second)).toMatchObject({ data: { a: 'y' } });
    expect(log.lines).toHaveLength(1);
  });
});
