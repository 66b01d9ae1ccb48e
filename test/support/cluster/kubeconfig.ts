import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface KubeconfigOptions {
  readonly server: string;
  readonly caData?: string;
  readonly token: string;
  readonly namespace?: string;
}

/** A kubeconfig with one context, as JSON (which is YAML). */
export function kubeconfigText({ server, caData, token, namespace }: KubeconfigOptions): string {
  const cluster = caData === undefined ? { server } : { server, 'certificate-authority-data': caData };
  const context = { cluster: 'test', user: 'test', ...(namespace === undefined ? {} : { namespace }) };
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'test', cluster }],
    users: [{ name: 'test', user: { token } }],
    contexts: [{ name: 'test', context }],
    'current-context': 'test',
  });
}

interface AdminOptions {
  readonly folder: string;
  readonly port: number;
  readonly certificateFile: string;
  readonly token: string;
}

export async function adminKubeconfig({ folder, port, certificateFile, token }: AdminOptions): Promise<string> {
  const path = join(folder, 'admin.kubeconfig');
  const caData = (await readFile(certificateFile)).toString('base64');
  await writeFile(path, kubeconfigText({ server: `https://127.0.0.1:${port}`, caData, token }), { mode: 0o600 });
  return path;
}
