import { describe, expect, test } from 'vitest';
import { actorsOf, clusterItem, differing, folderItem, sinceOf } from '../../../src/cli/status-item.ts';
import { emptyStatus, type AppStatus } from '../../../src/model/index.ts';
import { ago, applicationObject, changed, deployment, drifted, item, now, synced } from './status-items.ts';

describe('an Application in the cluster', () => {
  test('is told as the agent wrote it while the agent is alive, however long nothing has changed', () => {
    expect(item(synced)).toMatchObject({ id: 'prod/checkout', verdict: { status: 'Synced' }, revision: 'main@4e9c917', mode: 'alert', vouchedBy: 'agent', notes: [] });
    expect(item(drifted())).toMatchObject({ verdict: { status: 'OutOfSync', cause: 'live-changed' } });
  });

  test.each([
    ['three intervals of a minute', {}, 180, 'Synced'],
    ['longer than that', {}, 181, 'Unknown'],
    ['three intervals of its own', { interval: '10s' }, 30, 'Synced'],
    ['longer than those', { interval: '10s' }, 31, 'Unknown'],
    ['three intervals of a minute, where Git is asked rarely', { interval: '10m' }, 180, 'Synced'],
    ['longer than that, where Git is asked rarely', { interval: '10m' }, 181, 'Unknown'],
  ])('with an agent that was last seen before %s', (_name, spec, seconds, status) => {
    expect(item(synced, { spec, beat: { type: 'seen', at: new Date(ago(seconds)), holder: 'x' } }).verdict.status).toBe(status);
  });

  test.each([
    ['all', { namespaces: 'all', except: [] }, 'Synced'],
    ['its namespace', { namespaces: ['other', 'prod'], except: ['prod/search'] }, 'Synced'],
    ['other namespaces', { namespaces: ['other'], except: [] }, 'Unknown'],
    ['nothing', { namespaces: [], except: [] }, 'Unknown'],
    ['all but this one', { namespaces: 'all', except: ['prod/checkout'] }, 'Unknown'],
  ] as const)('with an agent that is alive and vouches for %s', (_name, vouching, status) => {
    const told = item(synced, { beat: { type: 'seen', at: new Date(ago(1)), holder: 'x', vouching } });
    expect(told.verdict.status).toBe(status);
    expect(told.notes.some((note) => note.includes('does not vouch for it'))).toBe(status === 'Unknown');
  });

  test('is Unknown where there is no lease, and says what it was', () => {
    expect(item(synced, { beat: { type: 'absent' } }).verdict).toEqual({ status: 'Unknown', code: 'NotObserved', message: 'no agent has been seen; before that it was Synced' });
  });

  test('is Unknown where its status names no agent', () => {
    expect(clusterItem(applicationObject(synced, { written: { lease: null } }), { beat: undefined, now }).verdict.status).toBe('Unknown');
  });

  test('is Unknown where no agent has looked at it', () => {
    expect(clusterItem(applicationObject({}, { written: null }), { beat: undefined, now }).verdict).toEqual({ status: 'Unknown', code: 'NotObserved', message: 'it has not been looked at yet' });
  });

  test('counts by its last change where the lease may not be read, with a note; so that it never stays Synced for ever', () => {
    const beat = { type: 'unreadable', why: 'not allowed: get leases' } as const;
    const fresh = item({ ...synced, checkedAt: ago(20) }, { beat });
    expect(fresh).toMatchObject({ verdict: { status: 'Synced' }, vouchedBy: 'status' });
    expect(fresh.notes[0]).toMatch(/lease setpoint\/setpoint-agent cannot be read.*not allowed: get leases$/);
    expect(item(synced, { beat })).toMatchObject({ verdict: { status: 'Unknown' }, vouchedBy: 'status' });
  });

  test('has a note where its spec has changed since', () => {
    expect(item({ ...synced, generation: 2 }, { generation: 3 }).notes).toEqual(['this is about an earlier version of its spec']);
  });

  test('has a note where its document is refused, and no mode', () => {
    const refused = item(synced, { spec: { source: { repoURL: 'nonsense' } } });
    expect(refused.mode).toBeUndefined();
    expect(refused.notes[0]).toMatch(/^its document is refused: /);
  });

  test.each([
    ['nothing automatic', {}, {}, 'alert'],
    ['automatic', { syncPolicy: { automated: {} } }, {}, 'auto'],
    ['automatic, paused', { syncPolicy: { automated: {} } }, { 'setpoint.dev/pause': 'true' }, 'paused'],
    ['automatic, a pause that is over', { syncPolicy: { automated: {} } }, { 'setpoint.dev/pause': ago(1) }, 'auto'],
  ])('has the mode of its spec: %s', (_name, spec, annotations, mode) => {
    expect(item(synced, { spec, annotations }).mode).toBe(mode);
  });

  test('is read whatever a newer agent or a person wrote into its status', () => {
    for (const written of [{ sync: 7, resources: 'x' }, { sync: { status: 'Splendid' } }, { lease: { a: 1 }, conditions: [null, 3] }]) {
      expect(item(synced, { written }).verdict.status).toMatch(/^(?:Synced|Unknown)$/);
    }
  });
});

describe('an application in a state folder', () => {
  const heartbeat = { aliveAt: ago(30), intervalMs: 60_000, applications: ['shop/web', 'web'] };
  const status: AppStatus = { ...emptyStatus('shop/web'), ...synced };

  test('is vouched for by the heartbeat of the agent', () => {
    expect(folderItem(status, { heartbeat, control: undefined, now })).toMatchObject({ id: 'shop/web', namespace: 'shop', name: 'web', verdict: { status: 'Synced' }, revision: 'main@4e9c917' });
    expect(folderItem({ ...status, name: 'web' }, { heartbeat, control: undefined, now })).toMatchObject({ id: 'web', namespace: undefined, name: 'web' });
  });

  test.each([
    ['an agent that has died', { ...heartbeat, aliveAt: ago(181) }, []],
    ['an agent that never was', undefined, []],
    ['an agent that no longer looks after it', { ...heartbeat, applications: [] }, ['the agent no longer looks after it']],
    ['a heartbeat without a time', { ...heartbeat, aliveAt: 'x' }, ['the agent no longer looks after it']],
  ])('is Unknown with %s', (_name, beat, notes) => {
    expect(folderItem(status, { heartbeat: beat, control: undefined, now })).toMatchObject({ verdict: { status: 'Unknown', code: 'NotObserved' }, notes });
  });

  test('has the pause of its control file', () => {
    expect(folderItem(status, { heartbeat, control: { refresh: undefined, pause: { until: undefined, reason: 'x' } }, now }).pause).toEqual({ until: undefined, reason: 'x' });
  });
});

describe('what can be told of it', () => {
  test('how many differ: those that could not be compared are not among them, those beyond the list are', () => {
    expect(differing(item(drifted(changed(), changed({ key: deployment, type: 'unknown', cause: undefined as never })))).count).toBe(1);
    expect(differing(item({ ...drifted(), notListed: 40 })).count).toBe(41);
    expect(differing(item({ ...synced, notListed: 40 })).count).toBe(0);
  });

  test('since when: the oldest drift, else the verdict; of a record that nobody vouches for, when somebody last did', () => {
    expect(sinceOf(item(drifted(changed({ since: ago(50) }), changed({ since: ago(600) }), changed({ since: ago(9000), cause: 'git-ahead' }))))).toEqual(new Date(ago(600)));
    expect(sinceOf(item({ ...drifted(changed({ cause: 'git-ahead' })), verdict: { status: 'OutOfSync', cause: 'git-ahead' } }))).toEqual(new Date(ago(300)));
    expect(sinceOf(item(synced, { beat: { type: 'seen', at: new Date(ago(999)), holder: '' } }))).toEqual(new Date(ago(999)));
    expect(sinceOf(item(synced, { beat: { type: 'absent' } }))).toBeUndefined();
  });

  test('by whom, each once', () => {
    expect(actorsOf(item(drifted(changed(), changed({ by: 'helm' }), changed())))).toEqual(['kubectl-edit', 'helm']);
  });
});
