import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { builtFolder, locateModule } from '../../../../src/render/engine/wasm/locate-module.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

async function putModule(folder: string, version: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [name, content] of [['engine.wasm', ''], ['wasm_exec.js', ''], ['version', `${version}\n`]] as const) await writeFile(join(folder, name), content);
}

test('the folder that the environment names comes first', async () => {
  await using cache = await tempFolder();
  const env = { XDG_CACHE_HOME: cache.path, SETPOINT_RENDER_ENGINE: join(cache.path, 'stated') };
  await putModule(await builtFolder(env), 'built');
  await putModule(env.SETPOINT_RENDER_ENGINE, 'stated');
  expect(await locateModule(env)).toEqual({
    version: 'stated',
    wasm: join(env.SETPOINT_RENDER_ENGINE, 'engine.wasm'),
    support: join(env.SETPOINT_RENDER_ENGINE, 'wasm_exec.js'),
  });
});

test('a clone finds what was built from its very sources', async () => {
  await using cache = await tempFolder();
  const env = { XDG_CACHE_HOME: cache.path };
  const folder = await builtFolder(env);
  expect(folder).toMatch(/\/setpoint\/render-engine\/[0-9a-f]{16}$/);
  await putModule(folder, 'built');
  expect(await locateModule(env)).toMatchObject({ version: 'built' });
});

test.each([
  { name: 'nothing is there', env: {}, says: /there is none: run `npm run build:render`/ },
  { name: 'the folder that is named has none', env: { SETPOINT_RENDER_ENGINE: '/not/there' }, says: /there is none in \/not\/there, which SETPOINT_RENDER_ENGINE names/ },
])('when $name, one sentence says so', async ({ env, says }) => {
  await using cache = await tempFolder();
  await expect(locateModule({ XDG_CACHE_HOME: cache.path, ...env })).rejects.toMatchObject({ code: 'RendererMissing', message: expect.stringMatching(says) });
});
