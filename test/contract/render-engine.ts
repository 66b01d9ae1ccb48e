import { afterAll, beforeAll } from 'vitest';
import type { Engine } from '../../src/render/engine/engine.ts';
import { testFailures } from './render-engine/failures.ts';
import { testHelmOutput } from './render-engine/helm-output.ts';
import { testHelmValues } from './render-engine/helm-values.ts';
import { testKustomize } from './render-engine/kustomize.ts';
import { testRefusals } from './render-engine/refusals.ts';
import type { OpenEngine } from './render-engine/subject.ts';
import { testTreeUse } from './render-engine/tree-use.ts';

/** What every Engine promises, whatever it is made of. */
export function testRenderEngine(open: OpenEngine): void {
  let shared: Engine | undefined;
  beforeAll(async () => {
    shared = await open({});
  });
  afterAll(() => shared?.close());
  const engine = (): Engine => {
    if (shared === undefined) throw new Error('the engine was not opened');
    return shared;
  };

  testHelmValues({ engine, open });
  testHelmOutput({ engine, open });
  testKustomize({ engine, open });
  testRefusals({ engine, open });
  testTreeUse({ engine, open });
  testFailures({ engine, open });
}
