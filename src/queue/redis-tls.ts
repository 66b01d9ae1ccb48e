import { readFileSync } from 'node:fs';
import { createSecureContext, type ConnectionOptions, type SecureContext } from 'node:tls';
import { SetpointError } from '../model/index.ts';
import type { RedisTls } from './redis-address.ts';
import { reasonOf } from './work-queue.ts';

/**
 * Options that are good for every connection. The files are read again for each: certificates are renewed while the
 * agent runs. Files that do not fit together, because only one was renewed so far, leave the last good ones in use.
 */
export function redisTlsOptions({ ca, cert, key, serverName }: RedisTls): ConnectionOptions {
  const name = serverName === undefined ? {} : { servername: serverName };
  if (ca === undefined && cert === undefined) return name;
  const load = (): SecureContext =>
    createSecureContext({
      ...(ca !== undefined && { ca: readPem(ca) }),
      ...(cert !== undefined && key !== undefined && { cert: readPem(cert), key: readPem(key) }),
    });
  let good = firstLoad(load);
  return {
    ...name,
    get secureContext() {
      try {
        good = load();
      } catch {
        // Until they fit again.
      }
      return good;
    },
  };
}

function firstLoad(load: () => SecureContext): SecureContext {
  try {
    return load();
  } catch (error) {
    if (error instanceof SetpointError) throw error;
    throw new SetpointError('Usage', `The certificate files for Redis cannot be used: ${reasonOf(error)}`);
  }
}

function readPem(file: string): string {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new SetpointError('Usage', `A certificate file for Redis cannot be read: ${reasonOf(error)}`);
  }
  // OpenSSL passes over a list of authorities that holds none.
  if (text.includes('-----BEGIN ')) return text;
  throw new SetpointError('Usage', `A certificate file for Redis is in PEM, and ${file} is not.`);
}
