// The independent witness of a comparison: kubectl's own server-side diff, under our field manager.
import { spawn } from 'node:child_process';
import type { TestCluster } from './cluster/test-cluster.ts';

export interface KubectlDiff {
  /** `failed`: kubectl or the server would not compare. */
  readonly type: 'none' | 'some' | 'failed';
  readonly text: string;
}

export async function kubectlDiff(cluster: TestCluster, manifests: string, namespace: string): Promise<KubectlDiff> {
  const { kubectl, kubeconfig } = cluster.description;
  const [file, ...leading] = kubectl;
  const how = ['diff', '--server-side', '--force-conflicts', '--field-manager', 'setpoint', '-n', namespace, '-f', '-'];
  const child = spawn(file, [...leading, '--kubeconfig', kubeconfig, ...how], { stdio: 'pipe' });
  const output: string[] = [];
  child.stdout.setEncoding('utf8').on('data', (text: string) => output.push(text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => output.push(text));
  child.stdin.on('error', () => undefined).end(manifests);
  const code = await new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve));
  return { type: code === 0 ? 'none' : code === 1 ? 'some' : 'failed', text: output.join('') };
}
