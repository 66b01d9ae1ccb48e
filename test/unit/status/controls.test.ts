import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readControls, watchControls, writeControl, type Control } from '../../../src/status/index.ts';
import { manualClock } from '../../support/manual-clock.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { waitFor } from '../../support/wait-for.ts';

const none = { refresh: undefined, pause: undefined };
const endless = { until: undefined, reason: undefined };

describe('writing', () => {
  test('a folder without controls has none, and neither has one that is not there', async () => {
    await using folder = await tempFolder();
    expect(await readControls(folder.path)).toEqual(new Map());
    expect(await readControls(join(folder.path, 'absent'))).toEqual(new Map());
  });

  test('what one change leaves out stays as it is, and null takes it back', async () => {
    await using folder = await tempFolder();
    const until = '2026-01-31T18:00:00.000Z';
    expect(await writeControl(folder.path, 'shop/web', { pause: { until, reason: 'release' } })).toEqual({ ...none, pause: { until, reason: 'release' } });
    expect(await writeControl(folder.path, 'shop/web', { refresh: 'now' })).toEqual({ refresh: 'now', pause: { until, reason: 'release' } });
    expect(await writeControl(folder.path, 'shop/web', { pause: null })).toEqual({ refresh: 'now', pause: undefined });
    expect(await readControls(folder.path)).toEqual(new Map([['shop/web', { refresh: 'now', pause: undefined }]]));
  });

  test('a pause may have no end and no reason', async () => {
    await using folder = await tempFolder();
    expect(await writeControl(folder.path, 'web', { pause: {} })).toEqual({ ...none, pause: endless });
  });

  test('only its owner may read it, no half file stays behind, and a name leads nowhere else', async () => {
    await using folder = await tempFolder();
    await writeControl(folder.path, '../../web', { refresh: 'now' });
    const [file = '', ...others] = await readdir(join(folder.path, 'controls'));
    expect([file, others]).toEqual(['..%2F..%2Fweb.json', []]);
    expect((await stat(join(folder.path, 'controls', file))).mode & 0o077).toBe(0);
    expect([...(await readControls(folder.path)).keys()]).toEqual(['../../web']);
  });

  test('many who write at once leave whole files', async () => {
    await using folder = await tempFolder();
    await Promise.all(Array.from({ length: 20 }, (_none, at) => writeControl(folder.path, 'web', { refresh: String(at) })));
    expect((await readControls(folder.path)).get('web')?.refresh).toMatch(/^\d+$/);
    expect(await readdir(join(folder.path, 'controls'))).toEqual(['web.json']);
  });
});

describe('reading what others wrote', () => {
  const unclear = { ...none, pause: { until: undefined, reason: 'the control file cannot be understood: remove it, or run setpoint resume' } };
  test.each<[string, Control]>([
    ['{', unclear],
    ['[]', unclear],
    ['null', unclear],
    ['{}', none],
    ['{"refresh":1,"pause":null}', none],
    ['{"pause":false}', none],
    ['{"pause":true}', { ...none, pause: endless }],
    ['{"pause":{"until":"soon"}}', { ...none, pause: endless }],
    ['{"pause":{"until":"2026-01-31T19:00:00+01:00","reason":7}}', { ...none, pause: { until: '2026-01-31T18:00:00.000Z', reason: undefined } }],
    ['{"refresh":"x","newer":"field"}', { ...none, refresh: 'x' }],
  ])('%s hurts only its own application, and is a pause where it may have been meant as one', async (text, control) => {
    await using folder = await tempFolder();
    await writeControl(folder.path, 'other', { refresh: 'now' });
    await writeFile(join(folder.path, 'controls', 'web.json'), text);
    expect(await readControls(folder.path)).toEqual(new Map([['other', { ...none, refresh: 'now' }], ['web', control]]));
  });

  test('files of other names are left alone', async () => {
    await using folder = await tempFolder();
    await writeControl(folder.path, 'web', { refresh: 'now' });
    await writeFile(join(folder.path, 'controls', '%zz.json'), '{}');
    await writeFile(join(folder.path, 'controls', 'README'), 'x');
    expect([...(await readControls(folder.path)).keys()]).toEqual(['web']);
  });

  test('a folder that cannot be read is an error, not an absence', async () => {
    await using folder = await tempFolder();
    await writeFile(join(folder.path, 'controls'), 'a file');
    await expect(readControls(folder.path)).rejects.toMatchObject({ code: 'StateInvalid' });
  });
});

describe('watching', () => {
  test('tells what is there, then each change, and what is unchanged no second time', async () => {
    await using folder = await tempFolder();
    const told: ReadonlyMap<string, Control>[] = [];
    const watch = watchControls(folder.path, { onChange: (controls) => void told.push(controls), pollMs: 20 });
    await waitFor(() => told.length === 1, { what: 'the first telling' });
    await writeControl(folder.path, 'web', { refresh: 'a' });
    await waitFor(() => told.at(-1)?.get('web')?.refresh === 'a', { what: 'the change' });
    await writeControl(folder.path, 'web', { refresh: 'a' });
    await writeControl(folder.path, 'web', { refresh: 'b' });
    await waitFor(() => told.at(-1)?.get('web')?.refresh === 'b', { what: 'the second change' });
    watch.close();
    expect(told.map((controls) => controls.get('web')?.refresh)).toEqual([undefined, 'a', 'b']);
    await writeControl(folder.path, 'web', { refresh: 'c' });
    expect(told).toHaveLength(3);
  });

  test('a change that nobody tells of is found at the next poll', async () => {
    await using folder = await tempFolder();
    const clock = manualClock();
    const told: ReadonlyMap<string, Control>[] = [];
    // A folder that is made anew is not the one that is watched.
    const watch = watchControls(folder.path, { onChange: (controls) => void told.push(controls), setTimer: clock.setTimer });
    await waitFor(() => told.length === 1 && clock.timers() === 1, { what: 'the first telling' });
    await rm(join(folder.path, 'controls'), { recursive: true });
    await mkdir(join(folder.path, 'controls'));
    await writeFile(join(folder.path, 'controls', 'web.json'), '{"refresh":"x"}');
    await waitFor(() => clock.pass(5000).then(() => told.at(-1)?.get('web')?.refresh === 'x'), { what: 'the poll to find it' });
    watch.close();
    expect(told).toHaveLength(2);
  });

  test('what cannot be read is told as a problem, and what was told before stands', async () => {
    await using folder = await tempFolder();
    const clock = manualClock();
    const told: ReadonlyMap<string, Control>[] = [];
    const problems: Error[] = [];
    await writeControl(folder.path, 'web', { pause: {} });
    const watch = watchControls(folder.path, { onChange: (controls) => void told.push(controls), onProblem: (error) => void problems.push(error), setTimer: clock.setTimer });
    await waitFor(() => told.length === 1 && clock.timers() === 1, { what: 'the first telling' });
    await mkdir(join(folder.path, 'controls', 'other.json'));
    await waitFor(() => clock.pass(5000).then(() => problems.length > 0), { what: 'the problem' });
    watch.close();
    expect(told).toHaveLength(1);
    expect(problems[0]?.message).toContain('cannot be read');
  });
});
