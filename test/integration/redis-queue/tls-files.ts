import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ConnectionOptions } from 'node:tls';
import { onTestFinished } from 'vitest';
import type { CertificateAuthority } from '../../support/certificate-authority.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import type { ProcessOptions } from './redis-process.ts';

export interface TlsFiles {
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
  /** Another certificate in the same files. */
  renew(authority: CertificateAuthority): Promise<void>;
}

export async function tlsFiles(authority: CertificateAuthority): Promise<TlsFiles> {
  const folder = await tempFolder();
  onTestFinished(() => folder.remove());
  const [ca, cert, key] = ['ca.crt', 'tls.crt', 'tls.key'].map((name) => join(folder.path, name));
  if (ca === undefined || cert === undefined || key === undefined) throw new Error('three names');
  const renew = async (by: CertificateAuthority): Promise<void> => {
    const issued = by.issue({ commonName: 'someone' });
    await Promise.all([writeFile(ca, by.cert), writeFile(cert, issued.cert), writeFile(key, issued.key)]);
  };
  await renew(authority);
  return { ca, cert, key, renew };
}

/** A server with TLS and nothing else. */
export function tlsServer(files: TlsFiles, authority: CertificateAuthority, extra: readonly string[] = []): ProcessOptions {
  const own = authority.issue({ commonName: 'tester' });
  const tls: ConnectionOptions = { ca: authority.cert, cert: own.cert, key: own.key };
  const named = [`tls-ca-cert-file ${files.ca}`, `tls-cert-file ${files.cert}`, `tls-key-file ${files.key}`];
  return { settings: (port) => ['port 0', `tls-port ${port}`, ...named, ...extra], login: { tls } };
}
