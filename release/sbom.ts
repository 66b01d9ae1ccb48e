// The notices of what is in a release in → what it is made of as CycloneDX, on stdout: `node release/sbom.ts dist`.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

interface Component {
  readonly type: 'library';
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly licenses?: readonly { readonly expression: string }[];
}

interface Release {
  readonly version: string;
  /** The text of the THIRD-PARTY-NOTICES.txt of the agent, and of the render engine. */
  readonly npm: string;
  readonly golang: string;
}

export function sbomOf({ version, npm, golang }: Release): object {
  const components = [...componentsIn(npm, 'npm'), ...componentsIn(golang, 'golang')];
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { type: 'application', name: 'setpoint', version, purl: `pkg:npm/setpoint@${version}` } },
    components: components.toSorted((a, b) => (a.purl < b.purl ? -1 : 1)),
  };
}

/** Each notice begins with a line `== NAME VERSION (LICENCE)`. */
function componentsIn(notices: string, type: 'npm' | 'golang'): readonly Component[] {
  return [...notices.matchAll(/^== (\S+) (\S+) \((.+)\)$/gm)].map(([, name = '', version = '', license = '']) => ({
    ...{ type: 'library', name, version, purl: `pkg:${type}/${name.replace('@', '%40')}@${encodeURIComponent(version)}` },
    ...(license === 'see below' ? {} : { licenses: [{ expression: license }] }),
  }));
}

if (import.meta.main) {
  const [folder = 'dist'] = process.argv.slice(2);
  const noticesOf = (part: string): Promise<string> => readFile(join(folder, part, 'THIRD-PARTY-NOTICES.txt'), 'utf8');
  const { version } = JSON.parse(await readFile(join(import.meta.dirname, '..', 'package.json'), 'utf8')) as { version: string };
  process.stdout.write(`${JSON.stringify(sbomOf({ version, npm: await noticesOf('agent'), golang: await noticesOf('render-engine') }), null, 2)}\n`);
}
