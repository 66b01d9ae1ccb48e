import { describe, expect, test } from 'vitest';
import { parseIgnoreRules } from '../../../../src/diff/ignore/index.ts';
import { resourceKey, type Json, type JsonObject } from '../../../../src/model/index.ts';
import { errorsOf, rulesOf } from './fixtures.ts';

const paths = ['spec.replicas'];
const allFields = 'group, kind, name, namespace, jsonPointers, paths, jqPathExpressions, managedFieldsManagers';
const listFields = 'jsonPointers, paths, jqPathExpressions, managedFieldsManagers';

describe('rules that are refused', () => {
  test.each<[string, Json, ...string[]]>([
    ['no list', { paths }, 'wanted a list of rules, got {"paths":["spec.replicas"]}'],
    ['no rule', ['x'], '[0]: wanted a rule such as {"kind": "Deployment", "jsonPointers": ["/spec/replicas"]}, got "x"'],
    ['an unknown field', [{ paths }, { paths, jsonPointer: '/spec' }], `[1].jsonPointer: a rule has no such field; wanted one of ${allFields}`],
    ['a rule that ignores nothing', [{ kind: 'Deployment' }], `[0]: ignores nothing; wanted at least one of ${listFields}`],
    ['a rule of empty lists', [{ kind: 'Deployment', paths: [], jsonPointers: null }], `[0]: ignores nothing; wanted at least one of ${listFields}`],
    ['a kind that is no text', [{ kind: 1, paths }], '[0].kind: wanted the kind of objects, in which * is the only wildcard, got 1'],
    ['an empty kind', [{ kind: '', paths }], '[0].kind: wanted the kind of objects, in which * is the only wildcard, got ""'],
    ['wildcards that are none here', [{ name: 'web-?', paths }], '[0].name: wanted the name of objects, in which * is the only wildcard, got "web-?"'],
    ['a text in the place of a list', [{ jsonPointers: '/spec' }], '[0].jsonPointers: wanted a list of strings, got "/spec"', `[0]: ignores nothing; wanted at least one of ${listFields}`],
    ['a list that holds something else', [{ paths: ['a', 1] }], '[0].paths: wanted a list of strings, got ["a",1]', `[0]: ignores nothing; wanted at least one of ${listFields}`],
    ['a text without end', [{ paths: ['a'.repeat(1001)] }], `[0].paths[0]: wanted at most 1000 characters; got "${'a'.repeat(199)}…`],
    ['an empty manager', [{ managedFieldsManagers: [''] }], '[0].managedFieldsManagers[0]: wanted the name of a field manager, such as kube-controller-manager; got ""'],
  ])('%s', (_name, rules, ...errors) => {
    expect(errorsOf(rules)).toEqual(errors);
  });

  test('all that is wrong is told at once', () => {
    expect(errorsOf([{ kind: 1, x: 1, jsonPointers: ['a', '/b'], paths: ['['] }, null])).toHaveLength(5);
  });

  test('what was got is not told without end', () => {
    expect(errorsOf('x'.repeat(10_000))[0]).toHaveLength('wanted a list of rules, got '.length + 201);
  });
});

describe('pointers that are refused', () => {
  const wanted = 'wanted a JSON pointer such as /spec/replicas';

  test.each<[string, string]>([
    ['', `${wanted}, and not the whole object`],
    ['/', `${wanted}, and not the whole object`],
    ['spec/replicas', `${wanted}, which begins with a slash`],
    ['#/spec/replicas', `${wanted}, which begins with a slash`],
    ['/metadata/annotations/a~b', `${wanted}, in which ~ is written ~0 and / inside of a key ~1`],
    ['/spec/a~', `${wanted}, in which ~ is written ~0 and / inside of a key ~1`],
    ['/webhooks/*/clientConfig', `${wanted}, which knows no wildcards; under paths, webhooks[*].clientConfig.caBundle does`],
  ])('%j', (pointer, problem) => {
    expect(errorsOf([{ jsonPointers: [pointer] }])).toEqual([`[0].jsonPointers[0]: ${problem}; got ${JSON.stringify(pointer)}`]);
  });
});

describe('what is never ignored', () => {
  test.each<[string, JsonObject, string]>([
    ['the version', { jsonPointers: ['/apiVersion'] }, 'apiVersion'],
    ['the kind', { jqPathExpressions: ['.kind'] }, 'kind'],
    ['the name', { paths: ['metadata.name'] }, 'metadata.name'],
    ['the namespace', { jsonPointers: ['/metadata/namespace'] }, 'metadata.namespace'],
    ['the metadata as a whole', { jsonPointers: ['/metadata'] }, 'metadata'],
    ['a name at any depth', { paths: ['**.name'] }, 'metadata.name'],
    ['a name, which is looked for at any depth', { paths: ['name'] }, 'metadata.name'],
    ['everything', { paths: ['**'] }, 'the whole object'],
    ['every field', { paths: ['*'] }, 'apiVersion'],
    ['every field of the metadata', { paths: ['metadata[*]'] }, 'metadata.name'],
    ['a glob', { paths: ['metadata.n*'] }, 'metadata.name'],
    ['the object', { jqPathExpressions: ['.'] }, 'the whole object'],
    ['every entry', { jqPathExpressions: ['.[]'] }, 'apiVersion'],
    ['entries that might be the metadata', { paths: ['[name=web]'] }, 'apiVersion'],
    ['values that might be the name', { jqPathExpressions: ['.metadata[] | select(. == "web")'] }, 'metadata.name'],
  ])('%s', (_name, rule, place) => {
    expect(errorsOf([rule])).toHaveLength(1);
    expect(errorsOf([rule])[0]).toContain(`wanted a path to something that may differ, and this may lead to ${place}; got `);
  });

  test.each(['metadata.labels', 'metadata[labels]', 'spec.template.metadata.name', 'subjects[*].namespace', '.name', 'spec.**', '**.caBundle', 'template.metadata'])(
    'and not because of it: %s',
    (path) => {
      expect(errorsOf([{ paths: [path] }])).toEqual([]);
    },
  );
});

describe('which objects a rule is about', () => {
  const web = resourceKey({ group: 'apps', kind: 'Deployment', namespace: 'shop', name: 'web' });
  const env = resourceKey({ group: '', kind: 'ConfigMap', namespace: 'shop', name: 'env' });
  const shop = resourceKey({ group: '', kind: 'Namespace', namespace: '', name: 'shop' });

  test.each<[string, JsonObject, readonly boolean[]]>([
    ['all, where it names none', {}, [true, true, true]],
    ['all, where it says so', { group: '*', kind: '*', name: '*', namespace: '*' }, [true, true, true]],
    ['a kind', { kind: 'Deployment' }, [true, false, false]],
    ['a kind of a group', { group: 'apps', kind: 'Deployment' }, [true, false, false]],
    ['a kind of another group', { group: 'batch', kind: 'Deployment' }, [false, false, false]],
    ['the core group', { group: '' }, [false, true, true]],
    ['a name', { name: 'web' }, [true, false, false]],
    ['names', { name: '*e*' }, [true, true, false]],
    ['a namespace', { namespace: 'shop' }, [true, true, false]],
    ['any name and namespace, where they are empty', { name: '', namespace: '' }, [true, true, true]],
    ['a part of a name', { name: 'we' }, [false, false, false]],
    ['nothing, where null stands for it', { group: null, kind: null, jsonPointers: null }, [true, true, true]],
  ])('%s', (_name, about, expected) => {
    const rules = rulesOf({ ...about, paths });
    expect([web, env, shop].map((key) => rules.for(key) !== undefined)).toEqual(expected);
  });

  test('several rules about the same object go together', () => {
    const rules = rulesOf({ paths: ['a', 'b'] }, { kind: 'Deployment', jsonPointers: ['/c'], managedFieldsManagers: ['x'] }, { kind: 'Pod', paths: ['d'] });
    expect(rules.for(web)).toMatchObject({ paths: [{ floats: true }, { floats: true }, { floats: false }], managers: [['x']] });
    expect(rules.for(env)).toMatchObject({ paths: [{ floats: true }, { floats: true }], managers: [] });
  });

  test.each([[null], [[]]])('%j holds no rules', (none) => {
    const parsed = parseIgnoreRules(none);
    expect(parsed.type === 'rules' && parsed.rules.for(web)).toBeUndefined();
  });
});

describe('the hash', () => {
  const [first, second] = [{ kind: 'Deployment', paths: ['a', 'b'] }, { kind: 'Pod', jsonPointers: ['/c'] }];

  test('is the same for the same rules in another order, or written twice, or with nothings in them', () => {
    const { hash } = rulesOf(first, second);
    expect(rulesOf(second, { paths: ['b', 'a', 'b'], kind: 'Deployment' }).hash).toBe(hash);
    expect(rulesOf(first, second, first).hash).toBe(hash);
    expect(rulesOf({ ...first, jsonPointers: [], name: '', group: null }, second).hash).toBe(hash);
  });

  test('is another one for other rules', () => {
    const hashes = [rulesOf(), rulesOf(first), rulesOf(second), rulesOf({ ...first, kind: 'Pod' }), rulesOf({ ...first, group: '' }), rulesOf({ kind: 'Deployment', jqPathExpressions: ['.a', '.b'] })];
    expect(new Set(hashes.map(({ hash }) => hash)).size).toBe(hashes.length);
  });
});
