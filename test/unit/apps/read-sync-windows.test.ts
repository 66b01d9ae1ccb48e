import { expect, test } from 'vitest';
import { readApplication } from '../../../src/apps/index.ts';
import type { JsonObject } from '../../../src/model/index.ts';

const document = (syncWindows: JsonObject[string]): JsonObject => ({
  apiVersion: 'setpoint.dev/v1alpha1',
  kind: 'Application',
  metadata: { name: 'web', namespace: 'setpoint' },
  spec: { source: { repoURL: 'https://git.example.com/fleet', path: 'web' }, destination: { namespace: 'shop' }, syncWindows },
});

test('windows are read with what is left out filled in', () => {
  const read = readApplication(document([{ kind: 'deny', schedule: '0 22 * * 5', duration: '60h', timeZone: 'Europe/Berlin', manualSync: true }, { kind: 'allow', schedule: '0 8 * * *', duration: '8h' }]));
  expect(read).toMatchObject({
    type: 'application',
    spec: {
      syncWindows: [
        { kind: 'deny', schedule: '0 22 * * 5', durationMs: 216_000_000, timeZone: 'Europe/Berlin', manualSync: true },
        { kind: 'allow', schedule: '0 8 * * *', durationMs: 28_800_000, timeZone: 'UTC' },
      ],
      warnings: [],
    },
  });
});

test.each<[string, JsonObject[string], string]>([
  ['another kind', [{ kind: 'perhaps', schedule: '* * * * *', duration: '1h' }], 'spec.syncWindows[0].kind'],
  ['no schedule', [{ kind: 'deny', duration: '1h' }], 'spec.syncWindows[0].schedule'],
  ['a duration that is none', [{ kind: 'deny', schedule: '* * * * *', duration: 'long' }], 'spec.syncWindows[0].duration'],
  ['no list', 'always', 'spec.syncWindows'],
])('%s is a mistake that is named', (_name, windows, place) => {
  const read = readApplication(document(windows));
  expect(read).toMatchObject({ type: 'invalid', messages: [expect.stringContaining(place)] });
});
