import { describe, expect, it } from 'vitest';
import { helmOrigins } from '../../../src/render/engine/helm-origins.ts';

const files = new Set(['web/templates/a.yaml', 'web/crds/c.yaml', 'web/charts/sub/templates/b.yaml']);
const originsOf = (text: string, chart = 'web'): readonly (string | undefined)[] => helmOrigins(text, { chart, has: (path) => files.has(path) || chart === '' });

describe('the origins of a chart', () => {
  it.each([
    { what: 'a template', text: '---\n# Source: shop/templates/a.yaml\nkind: A\n', origins: ['web/templates/a.yaml'] },
    { what: 'a template of a subchart', text: '---\n# Source: shop/charts/sub/templates/b.yaml\nkind: A\n', origins: ['web/charts/sub/templates/b.yaml'] },
    { what: 'a later document of the same file', text: '---\n# Source: shop/crds/c.yaml\nkind: A\n---\nkind: B\n', origins: ['web/crds/c.yaml', 'web/crds/c.yaml'] },
    { what: 'an empty document', text: '---\n# Source: shop/crds/c.yaml\n---\n---\n# Source: shop/templates/a.yaml\nkind: B\n', origins: ['web/crds/c.yaml', undefined, 'web/templates/a.yaml'] },
    { what: 'nothing', text: '', origins: [] },
    { what: 'a file of a packed subchart', text: '---\n# Source: shop/charts/packed/templates/b.yaml\nkind: A\n---\n# Source: shop/templates/a.yaml\nkind: A\n', origins: [undefined, 'web/templates/a.yaml'] },
    { what: 'a comment that points out of the chart', text: '---\n# Source: shop/../../etc/passwd\nkind: A\n', origins: [undefined] },
    { what: 'a comment that is not on top', text: '---\nkind: A\n# Source: shop/templates/a.yaml\n', origins: [undefined] },
  ])('are right for $what', ({ text, origins }) => {
    expect(originsOf(text)).toEqual(origins);
  });

  it('go from the root where the chart is there', () => {
    expect(originsOf('---\n# Source: shop/templates/z.yaml\nkind: A\n', '')).toEqual(['templates/z.yaml']);
  });
});
