import { describe, expect, test } from 'vitest';
import { listApplications, type ByFile, type FileContent, type FileListing } from '../../../src/apps/files/list-applications.ts';
import { renderPlain } from '../../../src/render/index.ts';

const application = (name: string, more = ''): string => `apiVersion: setpoint.dev/v1alpha1
kind: Application
metadata: { name: ${name} }
spec: { source: { repoURL: https://git.example.com/fleet, path: web }${more} }
`;

function file(name: string, text: string): FileContent {
  return { name, parsed: renderPlain([{ path: name, content: Buffer.from(text) }]) };
}

/** `a.yaml#1 web`, with `invalid` behind it where it is. */
function shown({ applications }: FileListing): readonly string[] {
  return applications.map(({ origin, application: read }) => (read.type === 'application' ? `${origin} ${read.spec.id}` : `${origin} ${read.id} invalid`));
}

const nothing: ByFile = new Map();

test('several documents of several files are listed with where they are from', () => {
  const { listing } = listApplications([file('a.yaml', `${application('one')}---\n${application('two')}`), file('b.json', JSON.stringify({ apiVersion: 'argoproj.io/v1alpha1', kind: 'Application', metadata: { name: 'three', namespace: 'argocd' }, spec: { source: { repoURL: 'https://h/x', path: '.' } } }))], nothing);
  expect(shown(listing)).toEqual(['a.yaml#1 one', 'a.yaml#2 two', 'b.json#1 argocd/three']);
  expect(listing).toMatchObject({ complete: true, problems: [] });
});

test('sources on the disk are taken: whoever wrote the file started the agent', () => {
  const { listing } = listApplications([file('a.yaml', application('one').replace('https://git.example.com/fleet', '/srv/fleet'))], nothing);
  expect(shown(listing)).toEqual(['a.yaml#1 one']);
});

test('an application that cannot be understood is listed as such, and hurts no other', () => {
  const { listing } = listApplications([file('a.yaml', `${application('one', ', interval: 1s')}---\n${application('two')}`)], nothing);
  expect(shown(listing)).toEqual(['a.yaml#1 one invalid', 'a.yaml#2 two']);
  expect(listing.complete).toBe(true);
});

test('a document of another kind is a problem by its origin', () => {
  const { listing } = listApplications([file('a.yaml', `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: x }\n---\n${application('one')}`)], nothing);
  expect(shown(listing)).toEqual(['a.yaml#2 one']);
  expect(listing.problems).toEqual([{ severity: 'error', origin: 'a.yaml#1', message: 'an Application of setpoint.dev or argoproj.io is wanted, got v1 ConfigMap' }]);
  expect(listing.complete).toBe(true);
});

test('two documents of one name are both refused, and both are named in each', () => {
  const { listing } = listApplications([file('a.yaml', `${application('one')}---\n${application('two')}`), file('b.yaml', application('one', ', interval: 1s'))], nothing);
  expect(shown(listing)).toEqual(['a.yaml#1 one invalid', 'a.yaml#2 two', 'b.yaml#1 one invalid']);
  const said = ['one Application one is wanted, got 2: a.yaml#1 and b.yaml#1'];
  expect(listing.applications[0]?.application).toEqual({ type: 'invalid', id: 'one', messages: said });
  expect(listing.applications[2]?.application).toEqual({ type: 'invalid', id: 'one', messages: said });
});

test.each([
  ['Bad_Name', 'metadata.name: lower-case letters, digits and dashes and dots are wanted, got something else'],
  ["''", 'metadata.name is missing or no string in Application'],
])('documents whose name is %s are problems, each by itself', (name, message) => {
  const { listing } = listApplications([file('a.yaml', `${application(name)}---\n${application('one')}---\n${application(name)}`)], nothing);
  expect(shown(listing)).toEqual(['a.yaml#2 one']);
  expect(listing).toMatchObject({ complete: false, problems: [{ severity: 'error', origin: 'a.yaml#1', message }, { origin: 'a.yaml#3', message }] });
});

describe('what was read before', () => {
  const { byFile } = listApplications([file('a.yaml', `${application('one')}---\n${application('two')}`), file('b.yaml', application('three'))], nothing);

  test('stays where its file cannot be read', () => {
    const { listing, byFile: after } = listApplications([{ name: 'a.yaml', problem: 'cannot be read: it is not allowed' }, file('b.yaml', application('three'))], byFile);
    expect(shown(listing)).toEqual(['a.yaml#1 one', 'a.yaml#2 two', 'b.yaml#1 three']);
    expect(listing).toMatchObject({ complete: false, problems: [{ severity: 'error', origin: 'a.yaml', message: 'cannot be read: it is not allowed' }] });
    expect(shown(listApplications([{ name: 'a.yaml', problem: 'still' }, file('b.yaml', application('three'))], after).listing)).toHaveLength(3);
  });

  test('stays where a document no longer says which one it is', () => {
    const { listing } = listApplications([file('a.yaml', `${application('One')}---\n${application('two')}`), file('b.yaml', application('three'))], byFile);
    expect(shown(listing)).toEqual(['a.yaml#2 two', 'a.yaml#1 one', 'b.yaml#1 three']);
    expect(listing.complete).toBe(false);
  });

  test('stays where a part of its file cannot be read, unless another part says otherwise', () => {
    const { listing } = listApplications([file('a.yaml', `${application('one', ', interval: 20s')}---\nkind: [\n`), file('b.yaml', application('three'))], byFile);
    expect(shown(listing)).toEqual(['a.yaml#1 one', 'a.yaml#2 two', 'b.yaml#1 three']);
    expect(listing.applications[0]?.application).toMatchObject({ spec: { intervalMs: 20_000 } });
    expect(listing).toMatchObject({ complete: false, problems: [{ severity: 'error', origin: 'a.yaml#2' }] });
  });

  test('goes where the file no longer has it', () => {
    expect(shown(listApplications([file('a.yaml', application('two')), file('b.yaml', application('three'))], byFile).listing)).toEqual(['a.yaml#1 two', 'b.yaml#1 three']);
  });

  test('goes with its file', () => {
    const { listing, byFile: after } = listApplications([file('b.yaml', application('three'))], byFile);
    expect(shown(listing)).toEqual(['b.yaml#1 three']);
    expect([...after.keys()]).toEqual(['b.yaml']);
  });

  test('is not known where there was none, and that is said', () => {
    const { listing } = listApplications([{ name: 'c.yaml', problem: 'x' }], nothing);
    expect(listing).toMatchObject({ complete: false, applications: [] });
  });
});
