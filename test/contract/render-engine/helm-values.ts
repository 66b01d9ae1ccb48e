import { describe, expect, it } from 'vitest';
import type { HelmRequest } from '../../../src/render/engine/engine.ts';
import { chart, failureOf, helm, render, type Subject } from './subject.ts';

const files = chart({
  'values.yaml': 'from: chart\nkept: chart\ngone: {a: 1}\nlist: [1, 2, 3]\n',
  'templates/values.yaml': 'kind: Values\nvalues: {{ omit .Values "global" | toJson | b64enc }}\n',
});

const file = (name: string, text: string): HelmRequest['valueFiles'][number] => ({ name, content: Buffer.from(text) });
const set = (name: string, value: string): HelmRequest['parameters'][number] => ({ name, value, forceString: false });
const setString = (name: string, value: string): HelmRequest['parameters'][number] => ({ name, value, forceString: true });

const defaults = { from: 'chart', kept: 'chart', gone: { a: 1 }, list: [1, 2, 3] };

const cases: readonly { readonly what: string; readonly request: Partial<HelmRequest>; readonly values: object }[] = [
  { what: "the chart's own without any others", request: {}, values: {} },
  { what: 'a value file over the chart', request: { valueFiles: [file('a', 'from: a')] }, values: { from: 'a' } },
  { what: 'the later of two value files', request: { valueFiles: [file('a', 'from: a\nx: 1'), file('b', 'from: b')] }, values: { from: 'b', x: 1 } },
  { what: 'an empty value file as nothing', request: { valueFiles: [file('a', ''), file('b', '# none')] }, values: {} },
  { what: 'inline values over the files', request: { values: 'from: inline', valueFiles: [file('a', 'from: a')] }, values: { from: 'inline' } },
  { what: 'parameters over inline values', request: { values: 'from: inline', parameters: [set('from', 'set')] }, values: { from: 'set' } },
  { what: 'the later of two parameters', request: { parameters: [set('from', '1'), set('from', '2')] }, values: { from: 2 } },
  { what: 'strings set after all others, as Helm does', request: { parameters: [setString('from', '1'), set('from', '2')] }, values: { from: '1' } },
  {
    what: 'file parameters over all',
    request: { parameters: [setString('from', 's')], fileParameters: [{ name: 'from', content: 'a, b=c\n{d}\\\n' }] },
    values: { from: 'a, b=c\n{d}\\\n' },
  },
  { what: 'types as --set reads them', request: { parameters: [set('n', '7'), set('b', 'true'), set('s', 'x'), set('e', '')] }, values: { n: 7, b: true, s: 'x', e: '' } },
  { what: 'strings as --set-string keeps them', request: { parameters: [setString('n', '007'), setString('b', 'true')] }, values: { n: '007', b: 'true' } },
  { what: 'a list in braces', request: { parameters: [set('list', '{a,2}')] }, values: { list: ['a', 2] } },
  { what: 'one item of a list', request: { values: 'list: [1, 2, 3]', parameters: [set('list[1]', '9')] }, values: { list: [1, 9, 3] } },
  { what: 'a path of keys', request: { parameters: [set('a.b.c', 'd')] }, values: { a: { b: { c: 'd' } } } },
  { what: 'an escaped dot in a key', request: { parameters: [set(String.raw`a\.b/c`, 'd')] }, values: { 'a.b/c': 'd' } },
  { what: 'an escaped comma in a value', request: { parameters: [set('from', String.raw`a\,b`)] }, values: { from: 'a,b' } },
  { what: 'several settings in one', request: { parameters: [set('x', '1,y=2')] }, values: { x: 1, y: 2 } },
  { what: 'a value that looks like a flag', request: { parameters: [set('from', '--output-dir=/tmp')] }, values: { from: '--output-dir=/tmp' } },
  { what: 'a name that looks like a flag', request: { parameters: [set('--help', 'x')], fileParameters: [{ name: '-f', content: 'y' }] }, values: { '--help': 'x', '-f': 'y' } },
  { what: 'a path of keys for a file', request: { fileParameters: [{ name: String.raw`a.b\,c`, content: 'd' }] }, values: { a: { 'b,c': 'd' } } },
];

export function testHelmValues({ engine }: Subject): void {
  describe('Helm values', () => {
    it.each(cases)('take $what', async ({ request, values }) => {
      const { text } = await render(engine(), helm(request), files);
      const encoded = /^values: (.*)$/m.exec(text)?.[1] ?? '';
      expect(JSON.parse(Buffer.from(encoded, 'base64').toString('utf8'))).toEqual({ ...defaults, ...values });
    });

    it('lose what is set to null', async () => {
      const { text } = await render(engine(), helm({ parameters: [set('gone', 'null')], values: 'kept: null\n' }), files);
      const encoded = /^values: (.*)$/m.exec(text)?.[1] ?? '';
      expect(JSON.parse(Buffer.from(encoded, 'base64').toString('utf8'))).toEqual({ from: 'chart', list: [1, 2, 3] });
    });

    it('that are no YAML are refused by the name of their file', async () => {
      const { code, message } = await failureOf(render(engine(), helm({ valueFiles: [file('env/prod.yaml', 'a: [')] }), files));
      expect([code, message]).toEqual(['RenderFailed', expect.stringContaining('env/prod.yaml')]);
    });

    it.each(['x=/etc/passwd,y', 'x,y', 'a=b'])('take no file parameter with the name %j', async (name) => {
      const { code } = await failureOf(render(engine(), helm({ fileParameters: [{ name, content: 'c' }] }), files));
      expect(code).toBe('RenderFailed');
    });

    const schema = JSON.stringify({ type: 'object', properties: { replicas: { type: 'integer', minimum: 1 } } });
    const withSchema = chart({ 'values.schema.json': schema, 'templates/a.yaml': 'kind: A\nreplicas: {{ .Values.replicas }}\n' });

    it('that break the schema are refused by the name of the chart and the key', async () => {
      const { code, message } = await failureOf(render(engine(), helm({ values: 'replicas: zero' }), withSchema));
      expect(code).toBe('RenderFailed');
      expect(message).toMatch(/shop:[^]*replicas/);
    });

    it('that break the schema are taken when it is to be skipped', async () => {
      const { text } = await render(engine(), helm({ values: 'replicas: zero', skipSchemaValidation: true }), withSchema);
      expect(text).toContain('replicas: zero');
    });
  });
}
