import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { watchApplicationFiles, type ApplicationFilesOptions, type ApplicationListing } from '../../../src/apps/index.ts';
import { renderPlain } from '../../../src/render/index.ts';
import { recordingLog } from '../../support/recording-log.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { waitFor } from '../../support/wait-for.ts';

const application = (name: string): string =>
  JSON.stringify({ apiVersion: 'setpoint.dev/v1alpha1', kind: 'Application', metadata: { name }, spec: { source: { repoURL: 'https://git.example.com/fleet', path: 'web' } } });

/** The names that are listed, or `unreadable`. */
function shown(listing: ApplicationListing | undefined): string {
  if (listing === undefined) return 'nothing yet';
  if (listing.type === 'unreadable') return 'unreadable';
  return listing.applications.map(({ application: read }) => (read.type === 'application' ? read.spec.name : 'invalid')).join(' ');
}

/** Timers that never go off, unless a test has them do so. */
function heldTimers(): { readonly setTimer: NonNullable<ApplicationFilesOptions['setTimer']>; readonly pending: { readonly delayMs: number; readonly run: () => void }[] } {
  const pending: { readonly delayMs: number; readonly run: () => void }[] = [];
  const setTimer = (run: () => void, delayMs: number): (() => void) => {
    const timer = { delayMs, run };
    pending.push(timer);
    return () => {
      if (pending.includes(timer)) pending.splice(pending.indexOf(timer), 1);
    };
  };
  return { setTimer, pending };
}

function watching(path: string, options: Partial<ApplicationFilesOptions> = {}) {
  const told: ApplicationListing[] = [];
  const log = recordingLog();
  const files = watchApplicationFiles({ path, parse: (file) => renderPlain([file]), onChange: (listing) => told.push(listing), log, settleMs: 1, ...options });
  const saw = (text: string): Promise<boolean> => waitFor(() => shown(told.at(-1)) === text, { what: `${text} after ${told.map(shown).join(', ')}` });
  return { files, told, log, saw, [Symbol.asyncDispose]: () => files.close() };
}

// What is noticed comes within milliseconds; the poll is far away in these.
const byNotice = { pollMs: 3_600_000 };

describe('a folder', () => {
  test('is read at once: its YAML and JSON files, in order, and nothing that is hidden or below', async () => {
    await using folder = await tempFolder();
    for (const name of ['b.yaml', 'a.yml', 'c.JSON', '.hidden.yaml', 'notes.txt', 'x.yaml~']) await writeFile(join(folder.path, name), application(name.replaceAll(/\W/g, '').toLowerCase()));
    await mkdir(join(folder.path, 'below.yaml'));
    await writeFile(join(folder.path, 'below.yaml', 'd.yaml'), application('below'));
    await using seen = watching(folder.path, byNotice);
    await seen.saw('ayml byaml cjson');
    expect(seen.told).toMatchObject([{ type: 'listed', complete: true, problems: [], applications: [{ origin: `${join(folder.path, 'a.yml')}#1` }, {}, {}] }]);
  });

  test('is noticed to change: files that come, change, are replaced and go', async () => {
    await using folder = await tempFolder();
    const file = join(folder.path, 'a.yaml');
    await writeFile(file, application('one'));
    await using seen = watching(folder.path, byNotice);
    await seen.saw('one');
    await writeFile(join(folder.path, 'b.yaml'), application('two'));
    await seen.saw('one two');
    await writeFile(file, application('three'));
    await seen.saw('three two');
    await writeFile(join(folder.path, '.a.yaml.new'), application('four'));
    await rename(join(folder.path, '.a.yaml.new'), file);
    await seen.saw('four two');
    await rm(file);
    await seen.saw('two');
    await rm(join(folder.path, 'b.yaml'));
    await seen.saw('');
    expect(seen.told.at(-1)).toMatchObject({ type: 'listed', complete: true });
  });

  test('that is the mount of a ConfigMap changes all at once', async () => {
    await using folder = await tempFolder();
    const version = async (name: string, files: Readonly<Record<string, string>>): Promise<void> => {
      await mkdir(join(folder.path, name));
      for (const [file, text] of Object.entries(files)) await writeFile(join(folder.path, name, file), text);
      await symlink(name, join(folder.path, '..data_tmp'));
      await rename(join(folder.path, '..data_tmp'), join(folder.path, '..data'));
    };
    await version('..2026_1', { 'a.yaml': application('one'), 'b.yaml': application('two') });
    for (const file of ['a.yaml', 'b.yaml']) await symlink(join('..data', file), join(folder.path, file));
    await using whole = watching(folder.path, byNotice);
    await using single = watching(join(folder.path, 'a.yaml'), byNotice);
    await whole.saw('one two');
    await single.saw('one');
    await version('..2026_2', { 'a.yaml': application('three'), 'b.yaml': application('four') });
    await rm(join(folder.path, '..2026_1'), { recursive: true });
    await whole.saw('three four');
    await single.saw('three');
  });

  test('that vanishes is unreadable and not empty, and is watched again when it is back', async () => {
    await using parent = await tempFolder();
    const folder = join(parent.path, 'apps');
    await mkdir(folder);
    await writeFile(join(folder, 'a.yaml'), application('one'));
    await using seen = watching(folder, byNotice);
    await seen.saw('one');
    await rename(folder, join(parent.path, 'elsewhere'));
    await seen.saw('unreadable');
    expect(seen.told.at(-1)).toEqual({ type: 'unreadable', message: `${folder} cannot be read: it is not there` });
    // Back with its file: an empty folder that is there is truly empty.
    await writeFile(join(parent.path, 'elsewhere', 'a.yaml'), application('two'));
    await rename(join(parent.path, 'elsewhere'), folder);
    await seen.saw('two');
    await writeFile(join(folder, 'a.yaml'), application('three'));
    await seen.saw('three');
    expect(seen.told.filter((listing) => listing.type === 'listed' && listing.applications.length === 0 && listing.complete)).toEqual([]);
  });

  test('with a file that is half written keeps what the file had', async () => {
    await using folder = await tempFolder();
    await writeFile(join(folder.path, 'a.yaml'), application('one'));
    await writeFile(join(folder.path, 'b.yaml'), application('two'));
    await using seen = watching(folder.path, byNotice);
    await seen.saw('one two');
    for (const broken of ['', '{"kind": ', 'a: [']) {
      await writeFile(join(folder.path, 'a.yaml'), broken);
      await waitFor(() => seen.told.at(-1)?.type === 'listed' && JSON.stringify(seen.told.at(-1)).includes('"complete":false'), { what: 'the problem' });
      expect(shown(seen.told.at(-1))).toBe('one two');
    }
    await writeFile(join(folder.path, 'a.yaml'), application('three'));
    await seen.saw('three two');
  });

  test('with a link that leads nowhere, and one that leads to itself, says which', async () => {
    await using folder = await tempFolder();
    await writeFile(join(folder.path, 'a.yaml'), application('one'));
    await symlink('nowhere', join(folder.path, 'b.yaml'));
    await symlink('c.yaml', join(folder.path, 'c.yaml'));
    await using seen = watching(folder.path, byNotice);
    await seen.saw('one');
    expect(seen.told[0]).toMatchObject({
      complete: false,
      problems: [
        { origin: join(folder.path, 'b.yaml'), message: 'cannot be read: it is not there' },
        { origin: join(folder.path, 'c.yaml'), message: 'cannot be read: its link leads to itself' },
      ],
    });
  });
});

test('a single file is read whatever its name is, and noticed to be replaced', async () => {
  await using folder = await tempFolder();
  const file = join(folder.path, 'applications.conf');
  await writeFile(file, `${application('one')}\n---\n${application('two')}`);
  await using seen = watching(file, byNotice);
  await seen.saw('one two');
  await writeFile(`${file}.new`, application('three'));
  await rename(`${file}.new`, file);
  await seen.saw('three');
  await rm(file);
  await seen.saw('unreadable');
});

test.each(['nowhere', 'nowhere/at/all'])('what is not there yet (%s) is unreadable', async (name) => {
  await using folder = await tempFolder();
  await using seen = watching(join(folder.path, name), byNotice);
  await seen.saw('unreadable');
});

test('what nobody notices is found by looking now and then', async () => {
  await using folder = await tempFolder();
  const deep = join(folder.path, 'not', 'there', 'yet');
  await using seen = watching(deep, { pollMs: 20 });
  await seen.saw('unreadable');
  await mkdir(deep, { recursive: true });
  await writeFile(join(deep, 'a.yaml'), application('one'));
  await seen.saw('one');
});

test('nothing is told while nothing changes', async () => {
  await using folder = await tempFolder();
  await writeFile(join(folder.path, 'a.yaml'), application('one'));
  await using seen = watching(folder.path, byNotice);
  for (let time = 0; time < 5; time += 1) {
    // Not written over: for a moment it would be empty.
    await writeFile(join(folder.path, 'a.yaml.new'), application('one'));
    await rename(join(folder.path, 'a.yaml.new'), join(folder.path, 'a.yaml'));
    await seen.files.look();
  }
  expect(seen.told.map(shown)).toEqual(['one']);
});

test('one look follows many changes, after a while that later changes do not put off', async () => {
  await using folder = await tempFolder();
  const { setTimer, pending } = heldTimers();
  await using seen = watching(folder.path, { setTimer, settleMs: 100, pollMs: 5000 });
  await seen.files.look();
  expect(pending.map(({ delayMs }) => delayMs)).toEqual([5000]);
  for (const name of ['a', 'b', 'c']) await writeFile(join(folder.path, `${name}.yaml`), application(name));
  await waitFor(() => pending.length === 2, { what: 'the notice' });
  await writeFile(join(folder.path, 'd.yaml'), application('d'));
  expect(pending.map(({ delayMs }) => delayMs)).toEqual([5000, 100]);
  pending.splice(1, 1)[0]?.run();
  await seen.saw('a b c d');
  expect(seen.told.map(shown)).toEqual(['', 'a b c d']);
});

test('a listener that throws is told again', async () => {
  await using folder = await tempFolder();
  await writeFile(join(folder.path, 'a.yaml'), application('one'));
  let calls = 0;
  const onChange = (): void => {
    calls += 1;
    if (calls === 1) throw new Error('not now');
  };
  await using seen = watching(folder.path, { ...byNotice, onChange });
  await seen.files.look();
  await seen.files.look();
  await seen.files.look();
  expect(calls).toBe(2);
  expect(seen.log.lines).toMatchObject([{ level: 'error', message: 'application files could not be taken in' }]);
});

test('nothing is told after the end, and no timer is left', async () => {
  await using folder = await tempFolder();
  const { setTimer, pending } = heldTimers();
  const seen = watching(folder.path, { setTimer });
  await seen.files.close();
  await writeFile(join(folder.path, 'a.yaml'), application('one'));
  await seen.files.look();
  expect(seen.told).toEqual([]);
  expect(pending).toEqual([]);
});
