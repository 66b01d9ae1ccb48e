// A container engine and a folder in → the commands that try image, chart and product on a cluster of kind.
import { join } from 'node:path';
import { auditLogFile, configFile } from './cluster.ts';

export type Engine = 'docker' | 'podman';

export interface Step {
  readonly command: readonly [string, ...string[]];
  readonly env?: Readonly<Record<string, string>>;
  /** Run at the end, whatever happened meanwhile, once this step has succeeded. */
  readonly undo?: readonly [string, ...string[]];
}

interface Place {
  readonly engine: Engine;
  /** For what lasts as long as the run, with the files of the cluster in it. */
  readonly folder: string;
}

const name = 'setpoint-e2e';
// Podman puts names without a registry there; for docker it is one like any other.
const image = { repository: 'localhost/setpoint', tag: 'e2e' };

export function kindSteps({ engine, folder }: Place): readonly Step[] {
  const [kubeconfig, archive] = [join(folder, 'kubeconfig'), join(folder, 'image.tar')];
  const release = ['setpoint', '-n', 'setpoint', '--kubeconfig', kubeconfig, '--wait'];
  const env = kindEnvironment(engine);
  return [
    { command: [engine, 'build', '-t', `${image.repository}:${image.tag}`, '.'] },
    { command: [engine, 'save', '-o', archive, `${image.repository}:${image.tag}`] },
    { command: ['kind', 'create', 'cluster', '--name', name, '--config', configFile(folder), '--kubeconfig', kubeconfig, '--wait', '180s'], undo: ['kind', 'delete', 'cluster', '--name', name, '--kubeconfig', kubeconfig], env },
    { command: ['kind', 'load', 'image-archive', archive, '--name', name], env },
    { command: ['helm', 'install', ...release, 'charts/setpoint', '--create-namespace', '--timeout', '3m', ...Object.entries({ ...image, pullPolicy: 'Never' }).flatMap(([key, value]) => ['--set', `image.${key}=${value}`])] },
    { command: ['kubectl', 'exec', '-n', 'setpoint', 'deploy/setpoint', '--kubeconfig', kubeconfig, '--', 'setpoint', 'doctor', '--as-agent'] },
    // Beside the cluster they need helm and the render engine, which take longer to build than a test may.
    { command: ['npm', 'run', 'build:control-plane'] },
    { command: ['npm', 'run', 'build:render'] },
    // The tests bring agents of their own, and this one would look after the same Applications.
    { command: ['helm', 'uninstall', ...release] },
    // All of them: those that want a cluster of their own start one beside it.
    { command: ['npx', 'vitest', 'run', '--project', 'e2e'], env: { SETPOINT_TEST_KUBECONFIG: kubeconfig, SETPOINT_TEST_AUDIT_LOG: auditLogFile(folder) } },
  ];
}

export function kindEnvironment(engine: Engine): Readonly<Record<string, string>> {
  return engine === 'podman' ? { KIND_EXPERIMENTAL_PROVIDER: 'podman' } : {};
}
