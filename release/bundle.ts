// The sources in → `dist/agent`: what is installed runs from a few files, and holds a third less memory than from hundreds.
import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { rolldown, type Plugin } from 'rolldown';

const root = join(import.meta.dirname, '..');
const folder = join(root, 'dist', 'agent');

/** What runs as a process or a thread of its own. */
const entries = ['src/main.ts', 'src/git/git-worker.ts', 'src/render/parse/yaml-worker.ts', 'src/render/engine/wasm/engine-worker.ts'];
const nameOf = (entry: string): string => basename(entry, '.ts');

/** All files of the bundle are in one folder, and threads are found beside whoever starts them. */
const threads: Plugin = {
  name: 'threads',
  transform(code) {
    return code.replaceAll(/new URL\('(?:\.\/)?([\w-]+)\.ts', import\.meta\.url\)/g, "new URL('./$1.js', import.meta.url)");
  },
};

export async function bundleAgent(): Promise<string> {
  await rm(folder, { recursive: true, force: true });
  const bundle = await rolldown({
    input: Object.fromEntries(entries.map((entry) => [nameOf(entry), join(root, entry)])),
    platform: 'node',
    // It loads parts of itself by names made up at run time.
    external: ['ssh2'],
    plugins: [threads],
  });
  await bundle.write({ dir: folder, format: 'esm', minify: true, keepNames: true, entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' });
  await bundle.close();
  return join(folder, 'main.js');
}

if (process.argv[1] === import.meta.filename) console.log(await bundleAgent());
