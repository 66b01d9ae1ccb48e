import { readFile } from 'node:fs/promises';
import { request } from 'node:https';

interface Probe {
  readonly port: number;
  readonly certificateFile: string;
  readonly token: string;
}

export async function isReady({ port, certificateFile, token }: Probe): Promise<boolean> {
  const ca = await readFile(certificateFile);
  return new Promise((resolve) => {
    const probe = request(
      { host: '127.0.0.1', port, path: '/readyz', ca, headers: { authorization: `Bearer ${token}` }, agent: false },
      (response) => {
        response.resume();
        resolve(response.statusCode === 200);
      },
    );
    probe.once('error', () => resolve(false));
    probe.end();
  });
}
