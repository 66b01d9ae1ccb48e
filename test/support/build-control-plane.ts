// `npm run build:control-plane`: the binary with Kubernetes, helm and kubectl that the tests use, before any of them waits for it.
import { locateControlPlane } from './control-plane.ts';

const { value, origin } = await locateControlPlane();
process.stdout.write(`${value} (${origin})\n`);
