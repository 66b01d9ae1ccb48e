import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Silence } from '../../../src/model/index.ts';
import { createSilencesFile, readControls, writeControl, type SilencesFile } from '../../../src/status/index.ts';
import { recordingLog } from '../../support/recording-log.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const { signal } = new AbortController();
const now = new Date('2026-03-01T12:00:00Z');
const silence = (id: string, until = '2026-03-01T13:00:00.000Z'): Silence => ({ id, match: { namespaces: ['shop'] }, from: '2026-03-01T11:00:00.000Z', until, author: 'ann', reason: 'test' });
const opened = (folder: string, log = recordingLog()): SilencesFile => createSilencesFile(folder, { log, now: () => now });

describe('silences in a state folder', () => {
  test('are none where there is no file, and what was added is there', async () => {
    await using folder = await tempFolder();
    const silences = opened(join(folder.path, 'new'));
    expect(await silences.read(signal)).toEqual([]);
    await silences.add(silence('a'), signal);
    await silences.add(silence('b'), signal);
    expect(await silences.read(signal)).toEqual([silence('a'), silence('b')]);
    await silences.end('a', signal);
    await silences.end('never', signal);
    expect(await silences.read(signal)).toEqual([silence('b')]);
  });

  test('that are over go when the next is added, and not before', async () => {
    await using folder = await tempFolder();
    const silences = opened(folder.path);
    await silences.add(silence('old', now.toISOString()), signal);
    expect(await silences.read(signal)).toHaveLength(1);
    await silences.add(silence('new'), signal);
    expect((await silences.read(signal)).map(({ id }) => id)).toEqual(['new']);
  });

  test('are at most 500', async () => {
    await using folder = await tempFolder();
    const { id: _id, ...one } = silence('x');
    await writeFile(join(folder.path, 'silences.json'), JSON.stringify(Object.fromEntries(Array.from({ length: 501 }, (_none, at) => [`s${at}`, one]))));
    const log = recordingLog();
    const silences = opened(folder.path, log);
    expect(await silences.read(signal)).toHaveLength(500);
    expect(log.lines).toMatchObject([{ level: 'warn', message: 'there are too many silences: some have no effect', fields: { count: 501, most: 500 } }]);
    await expect(silences.add(silence('a'), signal)).rejects.toMatchObject({ code: 'Usage', message: expect.stringContaining('500 are the most') as string });
  });

  test('that cannot be understood are skipped with a line in the log, and kept', async () => {
    await using folder = await tempFolder();
    await writeFile(join(folder.path, 'silences.json'), '{"odd":{"until":"soon"}}');
    const log = recordingLog();
    const silences = opened(folder.path, log);
    await silences.add(silence('a'), signal);
    expect((await silences.read(signal)).map(({ id }) => id)).toEqual(['a']);
    expect(log.lines).toMatchObject([{ level: 'warn', message: 'a silence cannot be understood, and has no effect', fields: { silence: 'odd' } }]);
    expect(await readFile(join(folder.path, 'silences.json'), 'utf8')).toContain('"soon"');
  });

  test.each([['{'], ['[]'], ['null']])('in a file that holds %j are none, and the file is not written over', async (text) => {
    await using folder = await tempFolder();
    const file = join(folder.path, 'silences.json');
    await writeFile(file, text);
    const log = recordingLog();
    expect(await opened(folder.path, log).read(signal)).toEqual([]);
    expect(log.lines).toMatchObject([{ level: 'warn', message: 'the silences cannot be understood, and have no effect' }]);
    await expect(opened(folder.path).add(silence('a'), signal)).rejects.toMatchObject({ code: 'StateInvalid' });
    await expect(opened(folder.path).end('a', signal)).rejects.toMatchObject({ code: 'StateInvalid' });
    expect(await readFile(file, 'utf8')).toBe(text);
  });

  test('can be read by their owner only, and leave no half file behind', async () => {
    await using folder = await tempFolder();
    await opened(folder.path).add(silence('a'), signal);
    expect(await readdir(folder.path)).toEqual(['silences.json']);
    expect((await stat(join(folder.path, 'silences.json'))).mode & 0o077).toBe(0);
  });
});

describe('the control of an application', () => {
  const mute = { until: '2026-03-01T13:00:00.000Z', reason: 'test', author: 'ann' };

  test('has its mute until it is taken back, and its wish to send again', async () => {
    await using folder = await tempFolder();
    expect(await writeControl(folder.path, 'shop/web', { mute })).toMatchObject({ mute });
    expect(await writeControl(folder.path, 'shop/web', { replay: 'evt_1@x' })).toMatchObject({ mute, replay: { id: 'evt_1@x', notifications: ['evt_1'] } });
    const after = await writeControl(folder.path, 'shop/web', { mute: null });
    expect(after).toEqual({ refresh: undefined, pause: undefined, replay: { id: 'evt_1@x', notifications: ['evt_1'] } });
    expect((await readControls(folder.path)).get('shop/web')).toEqual(after);
  });

  test('that says something else mutes nothing, and pauses nothing', async () => {
    await using folder = await tempFolder();
    await writeControl(folder.path, 'web', {});
    await writeFile(join(folder.path, 'controls', 'web.json'), '{"mute":true,"replay":7}');
    expect((await readControls(folder.path)).get('web')).toEqual({ refresh: undefined, pause: undefined });
  });
});
