// A cluster as tests see it, whoever started it: kubectl, namespaces of one's own, restricted users, the audit log.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openAuditLog, type AuditLog } from './audit-log.ts';
import { kubeconfigText } from './kubeconfig.ts';

export interface TestNamespace extends AsyncDisposable {
  readonly name: string;
}

export interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  readonly resourceNames?: readonly string[];
}

export interface TestCluster {
  /** Where it came from, for people. */
  readonly origin: string;
  /** The path of a kubeconfig whose user may do everything. */
  readonly kubeconfig: string;
  kubectl(args: readonly string[], input?: string): Promise<string>;
  apply(manifests: string): Promise<void>;
  getJson<T = Record<string, unknown>>(...args: readonly string[]): Promise<T>;
  createNamespace(): Promise<TestNamespace>;
  /** The path of a kubeconfig whose user may do only what the rules say, in that namespace. */
  restrictedUser(namespace: string, rules: readonly Rule[]): Promise<string>;
  auditLog(): Promise<AuditLog>;
  readonly description: TestClusterDescription;
  stop(): Promise<void>;
}

/** All that another process needs to use the same cluster. */
export interface TestClusterDescription {
  readonly origin: string;
  readonly kubeconfig: string;
  readonly kubectl: readonly [string, ...string[]];
  readonly auditLogFile: string | null;
  readonly folder: string;
}

export function createTestCluster(options: TestClusterDescription & { stop(): Promise<void> }): TestCluster {
  const { origin, kubeconfig, kubectl: kubectlCommand, auditLogFile, folder, stop } = options;
  const kubectl = (args: readonly string[], input = ''): Promise<string> =>
    runTool({ command: [...kubectlCommand, '--kubeconfig', kubeconfig], args, input });
  const apply = async (manifests: string): Promise<void> => {
    await kubectl(['apply', '--server-side', '--field-manager', 'test-setup', '-f', '-'], manifests);
  };
  const getJson = async <T>(...args: readonly string[]): Promise<T> =>
    JSON.parse(await kubectl(['get', ...args, '-o', 'json', '--show-managed-fields'])) as T;
  return {
    origin,
    kubeconfig,
    kubectl,
    apply,
    getJson,
    async createNamespace() {
      const name = `test-${randomBytes(5).toString('hex')}`;
      await kubectl(['create', 'namespace', name]);
      return {
        name,
        async [Symbol.asyncDispose]() {
          await kubectl(['delete', 'namespace', name, '--wait=false', '--ignore-not-found']);
        },
      };
    },
    async restrictedUser(namespace, rules) {
      const name = `user-${randomBytes(4).toString('hex')}`;
      await kubectl(['create', 'serviceaccount', name, '-n', namespace]);
      const metadata = { name, namespace };
      const role = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role', metadata, rules };
      const subjects = [{ kind: 'ServiceAccount', name, namespace }];
      const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name };
      const binding = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'RoleBinding', metadata, subjects, roleRef };
      await apply(JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [role, binding] }));
      const token = (await kubectl(['create', 'token', name, '-n', namespace])).trim();
      const config = JSON.parse(await kubectl(['config', 'view', '--raw', '--minify', '--flatten', '-o', 'json'])) as {
        clusters: { cluster: { server: string; 'certificate-authority-data'?: string } }[];
      };
      const target = config.clusters[0]?.cluster;
      if (target === undefined) throw new Error(`${kubeconfig} has no cluster`);
      const caData = target['certificate-authority-data'];
      const path = join(folder, `${name}.kubeconfig`);
      const text = kubeconfigText({ server: target.server, token, namespace, ...(caData === undefined ? {} : { caData }) });
      await writeFile(path, text, { mode: 0o600 });
      return path;
    },
    async auditLog() {
      if (auditLogFile === null) throw new Error(`${origin} has no audit log that a test can read: SETPOINT_TEST_AUDIT_LOG names none`);
      return openAuditLog(auditLogFile);
    },
    description: { origin, kubeconfig, kubectl: kubectlCommand, auditLogFile, folder },
    stop,
  };
}

interface ToolCall {
  readonly command: readonly string[];
  readonly args: readonly string[];
  readonly input: string;
}

function runTool({ command, args, input }: ToolCall): Promise<string> {
  const [file = '', ...leading] = command;
  return new Promise((resolve, reject) => {
    const child = spawn(file, [...leading, ...args], { stdio: 'pipe' });
    const output: string[] = [];
    const errors: string[] = [];
    child.stdout.setEncoding('utf8').on('data', (text: string) => output.push(text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => errors.push(text));
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve(output.join(''));
      else reject(new Error(`${args.join(' ')} ended with ${code}: ${errors.join('').trim()}`));
    });
    child.stdin.on('error', () => undefined).end(input);
  });
}
