// The sources in → `dist/agent`: what is installed runs from a few files, and holds a third less memory than from hundreds.
import { rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { rolldown, type Plugin } from 'rolldown';
import { packagesIn } from './packages-in.ts';
import { thirdPartyNotices } from './third-party-notices.ts';

const root = join(import.meta.dirname, '..');
const packaged = join(root, 'dist', 'agent');
const stacks = join(import.meta.dirname, 'disposable-stack.ts');

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

const absent = '\0absent';

/** ssh2 tries compiled code first and does without: as much as it finds where no package runs an install script. */
const onlyJavaScript: Plugin = {
  name: 'only-javascript',
  resolveId: (name) => (name === 'cpu-features' || name.endsWith('.node') ? absent : undefined),
  load: (id) => (id === absent ? "throw new Error('not compiled');" : undefined),
};

export async function bundleAgent(folder: string = packaged): Promise<string> {
  await rm(folder, { recursive: true, force: true });
  const bundle = await rolldown({
    input: Object.fromEntries(entries.map((entry) => [nameOf(entry), join(root, entry)])),
    platform: 'node',
    plugins: [threads, onlyJavaScript],
    // The oldest Node that `engines` names runs it too.
    transform: { target: 'node22.19', define: { __dirname: 'import.meta.dirname' }, inject: { DisposableStack: [stacks, 'Stack'], AsyncDisposableStack: [stacks, 'AsyncStack'] } },
  });
  const { output } = await bundle.write({ dir: folder, format: 'esm', minify: true, keepNames: true, entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' });
  await bundle.close();
  await writeFile(join(folder, 'THIRD-PARTY-NOTICES.txt'), await thirdPartyNotices(await packagesIn(output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : [])))));
  return join(folder, 'main.js');
}

if (process.argv[1] === import.meta.filename) console.log(await bundleAgent());
