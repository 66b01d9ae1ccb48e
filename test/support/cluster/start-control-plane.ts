// Starts a whole control plane on loopback: etcd, API server, controller manager, scheduler, and kwok with one Node.
import { spawnSync } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { certificateAuthority } from '../certificate-authority.ts';
import { locateControlPlane } from '../control-plane.ts';
import { freePort } from '../free-port.ts';
import { auditFlags, auditPolicy } from './audit-policy.ts';
import { startComponent, type Component } from './component.ts';
import { adminKubeconfig } from './kubeconfig.ts';
import { isReady } from './readyz.ts';
import { createTestCluster, type TestCluster } from './test-cluster.ts';

/** How to call a part of the control plane: one multi-call binary, or a folder of single ones (KUBEBUILDER_ASSETS). */
type CommandOf = (component: string) => readonly [string, ...string[]];

interface Parts {
  readonly commandOf: CommandOf;
  readonly origin: string;
  readonly hasControllers: boolean;
}

export async function startControlPlane(): Promise<TestCluster> {
  const parts = await findParts();
  const folder = await mkdtemp(join(tmpdir(), 'setpoint-control-plane-'));
  const components: Component[] = [];
  const start = (name: string, args: readonly string[]): Component => {
    const component = startComponent({ name, command: parts.commandOf(name), args, logFile: join(folder, `${name}.log`) });
    components.push(component);
    return component;
  };
  const stop = async (): Promise<void> => {
    // A throw-away cluster is killed: the API server waits a minute for an etcd that is gone.
    await Promise.all(components.toReversed().map((component) => component.kill()));
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const kubeconfig = await startServers(folder, start);
    const cluster = createTestCluster({
      kubeconfig,
      kubectl: parts.commandOf('kubectl'),
      auditLogFile: join(folder, 'audit.log'),
      origin: parts.origin,
      folder,
      stop,
    });
    if (parts.hasControllers) await startControllers({ folder, kubeconfig, cluster, start, commandOf: parts.commandOf });
    return cluster;
  } catch (error) {
    const logs = await Promise.all(components.map((component) => component.lastLines(15)));
    await stop();
    throw new Error(`the control plane did not start: ${String(error)}\n${logs.join('\n')}`, { cause: error });
  }
}

async function findParts(): Promise<Parts> {
  const assets = process.env['KUBEBUILDER_ASSETS'];
  if (assets !== undefined && assets !== '') {
    for (const name of ['etcd', 'kube-apiserver', 'kubectl']) {
      if (!existsSync(join(assets, name))) throw new Error(`KUBEBUILDER_ASSETS=${assets} has no ${name}`);
    }
    return { commandOf: (name) => [join(assets, name)], origin: `KUBEBUILDER_ASSETS (${assets})`, hasControllers: false };
  }
  const { value: binary, origin } = await locateControlPlane();
  return { commandOf: (name) => [binary, name], origin, hasControllers: true };
}

type Start = (name: string, args: readonly string[]) => Component;

async function startServers(folder: string, start: Start): Promise<string> {
  const [etcdPort, peerPort, apiPort] = [await freePort(), await freePort(), await freePort()];
  const [client, peer] = [`http://127.0.0.1:${etcdPort}`, `http://127.0.0.1:${peerPort}`];
  start('etcd', [
    ...['--data-dir', join(folder, 'etcd'), '--unsafe-no-fsync', '--log-level', 'warn'],
    ...['--listen-client-urls', client, '--advertise-client-urls', client],
    ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer, '--initial-cluster', `default=${peer}`],
  ]);
  const token = randomBytes(16).toString('hex');
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const keyFile = join(folder, 'service-account.key');
  await writeFile(keyFile, privateKey.export({ type: 'pkcs1', format: 'pem' }), { mode: 0o600 });
  const authority = certificateAuthority();
  await writeFile(join(folder, 'client-authority.crt'), authority.cert);
  await writeFile(join(folder, 'client-authority.key'), authority.key, { mode: 0o600 });
  await writeFile(join(folder, 'tokens.csv'), `${token},setpoint-test-admin,admin,system:masters\n`, { mode: 0o600 });
  const audit = auditFlags({ policyFile: join(folder, 'audit-policy.yaml'), logFile: join(folder, 'audit.log') });
  await writeFile(join(folder, 'audit-policy.yaml'), auditPolicy);
  const server = start('kube-apiserver', [
    ...['--etcd-servers', client, '--secure-port', String(apiPort), '--bind-address', '127.0.0.1'],
    ...['--cert-dir', join(folder, 'certificates'), '--authorization-mode', 'RBAC', '--allow-privileged'],
    ...['--client-ca-file', join(folder, 'client-authority.crt')],
    ...['--token-auth-file', join(folder, 'tokens.csv'), '--service-cluster-ip-range', '10.0.0.0/24'],
    ...['--endpoint-reconciler-type', 'none', '--service-account-issuer', 'https://kubernetes.default.svc'],
    ...['--service-account-key-file', keyFile, '--service-account-signing-key-file', keyFile],
    ...Object.entries(audit).flatMap(([flag, value]) => [`--${flag}`, value]),
  ]);
  const certificateFile = join(folder, 'certificates', 'apiserver.crt');
  await server.until('its certificate is there', () => Promise.resolve(existsSync(certificateFile)));
  const kubeconfig = await adminKubeconfig({ folder, port: apiPort, certificateFile, token });
  await server.until('/readyz answers', () => isReady({ port: apiPort, certificateFile, token }));
  return kubeconfig;
}

interface ControllerDependencies {
  readonly folder: string;
  readonly kubeconfig: string;
  readonly cluster: TestCluster;
  readonly start: Start;
  readonly commandOf: CommandOf;
}

async function startControllers({ folder, kubeconfig, cluster, start, commandOf }: ControllerDependencies): Promise<void> {
  const [managerPort, schedulerPort, kwokPort] = [await freePort(), await freePort(), await freePort()];
  // The usual 20 requests a second make two hundred Deployments wait for half a minute, whoever made them.
  const pace = ['--kube-api-qps', '1000', '--kube-api-burst', '2000'];
  const common = ['--kubeconfig', kubeconfig, '--leader-elect=false', '--authentication-skip-lookup', '--bind-address', '127.0.0.1', ...pace];
  start('kube-controller-manager', [
    ...[...common, '--secure-port', String(managerPort)],
    ...['--service-account-private-key-file', join(folder, 'service-account.key')],
    ...['--root-ca-file', join(folder, 'certificates', 'apiserver.crt')],
  ]);
  start('kube-scheduler', [...common, '--secure-port', String(schedulerPort)]);
  const [file, ...args] = commandOf('kwok-stages');
  const stages = spawnSync(file, args, { encoding: 'utf8' });
  if (stages.status !== 0) throw new Error(`kwok-stages failed: ${stages.stderr}`);
  await writeFile(join(folder, 'stages.yaml'), stages.stdout);
  start('kwok', [
    ...['--kubeconfig', kubeconfig, '--config', join(folder, 'stages.yaml'), '--manage-all-nodes'],
    ...['--server-address', `127.0.0.1:${kwokPort}`],
  ]);
  await cluster.apply(await readFile(join(import.meta.dirname, 'node.yaml'), 'utf8'));
}
