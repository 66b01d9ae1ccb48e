import type { HelmRequest } from '../../src/render/engine/engine.ts';

export function helmRequest(given: Partial<HelmRequest> = {}): HelmRequest {
  return {
    type: 'helm',
    chart: 'chart',
    releaseName: 'rel',
    namespace: 'shop',
    kubeVersion: undefined,
    apiVersions: [],
    skipCrds: false,
    skipTests: false,
    skipSchemaValidation: false,
    valueFiles: [],
    values: undefined,
    parameters: [],
    fileParameters: [],
    ...given,
  };
}
