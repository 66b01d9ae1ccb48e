// The binary with helm and kubectl, built before the first test: within one, its minutes would be taken for a test that hangs.
import { locateControlPlane } from '../control-plane.ts';

export default async function prebuild(): Promise<void> {
  // Where it cannot be built, whoever needs it says so, and the others need not care.
  await locateControlPlane().catch((error: Error) => void process.stderr.write(`${error.message}\n`));
}
