import picocolors from 'picocolors';
import { describe, expect, test } from 'vitest';
import type { StatusItem } from '../../../src/cli/status-item.ts';
import { createStatusPrinter, type StatusPrintFlags } from '../../../src/cli/status-print.ts';
import { yamlText } from '../../../src/cli/format/index.ts';
import { parseJson, type JsonObject } from '../../../src/model/index.ts';
import { ago, changed, drifted, item, now, synced } from './status-items.ts';

function printed(flags: Partial<StatusPrintFlags>, ...rounds: readonly (readonly StatusItem[])[]): { readonly texts: readonly string[]; readonly warnings: readonly string[] } {
  const texts: string[] = [];
  const warnings: string[] = [];
  const printer = createStatusPrinter(
    { headers: true, color: 'never', ...flags },
    { place: 'context test', colors: picocolors.createColors(false), write: (text) => void texts.push(text), warn: (text) => void warnings.push(text), now: () => now },
  );
  const [first = [], ...later] = rounds;
  printer.all(first);
  for (const items of later) printer.news(items);
  return { texts, warnings };
}

describe('once', () => {
  test('one application that was named has its details, unless another form is asked for', () => {
    expect(printed({ app: 'checkout' }, [item(synced)]).texts[0]).toMatch(/^prod\/checkout {2}Synced {2}for/);
    expect(printed({ app: 'checkout', output: 'table' }, [item(synced)]).texts[0]).toMatch(/^NAMESPACE/);
  });

  test('names can be given to other commands', () => {
    expect(printed({ output: 'name' }, [item(synced), item(synced, { name: 'b', namespace: 'a' })]).texts).toEqual(['prod/checkout\na/b\n']);
  });

  test('the document says what holds, what was recorded, and who vouches for it', () => {
    const { texts, warnings } = printed({ output: 'json' }, [item(drifted()), item(synced, { name: 'old', beat: { type: 'absent' } })]);
    const report = parseJson(texts.join('')) as JsonObject;
    expect(report).toMatchObject({
      apiVersion: 'setpoint.dev/v1',
      kind: 'StatusReport',
      place: 'context test',
      items: [
        {
          id: 'prod/checkout',
          sync: { status: 'OutOfSync', cause: 'live-changed', since: ago(360), revision: '4e9c917aaaa', shortRevision: 'main@4e9c917' },
          checkedAt: ago(4),
          checkedBy: 'agent',
          observedAt: ago(12),
          mode: 'alert',
          pause: null,
          drift: { differing: 1, declared: 14, notListed: 0, by: ['kubectl-edit'] },
          resources: [{ group: 'apps', kind: 'Deployment', namespace: 'prod', name: 'checkout', type: 'changed', cause: 'live-changed', fields: ['spec.replicas'], by: 'kubectl-edit' }],
          notes: [],
        },
        { id: 'prod/old', sync: { status: 'Unknown', cause: null, code: 'NotObserved', recorded: 'Synced' }, checkedAt: null },
      ],
    });
    expect(warnings).toEqual([]);
    expect(printed({ output: 'yaml' }, [item(drifted()), item(synced, { name: 'old', beat: { type: 'absent' } })]).texts.join('')).toBe(yamlText(report));
  });

  test('no value of an object is in the document', () => {
    const folderStatus = item({ ...drifted() });
    const secret = { ...folderStatus, status: { ...folderStatus.status, resources: [changed({ patch: [{ op: 'add', path: '/a', value: 'canary' }], changes: [] })] } };
    expect(printed({ output: 'json' }, [secret]).texts.join('')).not.toContain('canary');
  });

  test('that a lease cannot be read is said once, however many Applications it concerns', () => {
    const beat = { type: 'unreadable', why: 'no right' } as const;
    const { warnings } = printed({}, [item({ ...synced, checkedAt: ago(1) }, { beat }), item({ ...synced, checkedAt: ago(2) }, { beat, name: 'b' })]);
    expect(warnings).toEqual([expect.stringMatching(/lease setpoint\/setpoint-agent cannot be read.*no right$/)]);
  });
});

describe('watching', () => {
  const at = item(synced);
  const later = (parts: Parameters<typeof item>[0]): StatusItem => item({ ...parts, checkedAt: ago(1) });

  test('only what has changed has a line, and growing older is no change', () => {
    const older = { ...at, vouchedAt: new Date(ago(1)), status: { ...at.status, checkedAt: ago(1) } };
    expect(printed({}, [at], [older], [later(drifted())], [later(drifted())], [at]).texts.slice(1).map((text) => text.slice(10))).toEqual([
      'prod/checkout  OutOfSync (live-changed)  1/14  by kubectl-edit  main@4e9c917\n',
      'prod/checkout  Synced  0/22  main@4e9c917\n',
    ]);
  });

  test('an agent that dies is a change, and so are an application that comes and one that goes', () => {
    const lines = printed({}, [at], [item(synced, { beat: { type: 'seen', at: new Date(ago(200)), holder: '' } })], [at, item(synced, { name: 'b' })], [at]).texts.slice(1).map((text) => text.slice(10));
    expect(lines).toEqual([
      expect.stringMatching(/^prod\/checkout {2}Unknown {2}NotObserved: no agent has been seen since .*; before that it was Synced {2}main@4e9c917\n$/),
      'prod/checkout  Synced  0/22  main@4e9c917\n',
      'prod/b  Synced  0/22  main@4e9c917\n',
      'prod/b  is gone\n',
    ]);
  });

  test('a pause is a change', () => {
    expect(printed({}, [at], [item(synced, { annotations: { 'setpoint.dev/pause': 'true' } })]).texts).toHaveLength(2);
  });

  test('for scripts each change is a document on a line of its own', () => {
    const [, news = '', gone = ''] = printed({ output: 'json' }, [at], [later(drifted())], []).texts;
    expect(news.trimEnd()).not.toContain('\n');
    expect(parseJson(news)).toMatchObject({ kind: 'StatusReport', items: [{ id: 'prod/checkout', sync: { status: 'OutOfSync' } }] });
    expect(parseJson(gone)).toMatchObject({ kind: 'StatusReport', items: [], gone: ['prod/checkout'] });
    expect(printed({ output: 'yaml' }, [at], [later(drifted())]).texts[1]).toMatch(/^---\napiVersion: setpoint\.dev\/v1\n/);
    expect(printed({ output: 'name' }, [at], [later(drifted())]).texts[1]).toBe('prod/checkout\n');
  });
});
