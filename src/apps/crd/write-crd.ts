// `node src/apps/crd/write-crd.ts` writes the manifest of the custom resource definition anew.
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { crdText } from './crd-text.ts';

const file = join(import.meta.dirname, '..', '..', '..', 'charts', 'setpoint', 'crds', 'applications.setpoint.dev.yaml');
await mkdir(dirname(file), { recursive: true });
await writeFile(file, crdText());
process.stdout.write(`${file}\n`);
