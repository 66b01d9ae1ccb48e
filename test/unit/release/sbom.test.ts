import { expect, test } from 'vitest';
import { sbomOf } from '../../../release/sbom.ts';

const npm = 'This program contains the following packages.\n\n== @scope/name 1.2.3 (MIT)\n\nThe text of it\n== not a notice\n\n== other 2.0.0 (BSD-3-Clause OR Apache-2.0)\n';
const golang = 'This program contains the following packages.\n\n== helm.sh/helm/v4 v4.2.4+incompatible (see below)\n\nThe text of it\n';

test('what the notices name is what a release is made of, by its kind of package', () => {
  expect(sbomOf({ version: '1.0.0', npm, golang })).toMatchObject({
    ...{ bomFormat: 'CycloneDX', specVersion: '1.6' },
    metadata: { component: { name: 'setpoint', version: '1.0.0' } },
    components: [
      { type: 'library', name: 'helm.sh/helm/v4', version: 'v4.2.4+incompatible', purl: 'pkg:golang/helm.sh/helm/v4@v4.2.4%2Bincompatible' },
      { type: 'library', name: '@scope/name', version: '1.2.3', purl: 'pkg:npm/%40scope/name@1.2.3', licenses: [{ expression: 'MIT' }] },
      { type: 'library', name: 'other', version: '2.0.0', purl: 'pkg:npm/other@2.0.0', licenses: [{ expression: 'BSD-3-Clause OR Apache-2.0' }] },
    ],
  });
});
