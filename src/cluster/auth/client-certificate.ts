import { createPrivateKey, X509Certificate } from 'node:crypto';
import { SetpointError } from '../../model/index.ts';
import { fixed, type ClientCertificate } from './identity.ts';
import type { UserEntry } from './read-kubeconfig.ts';
import { createWatchedFile } from './watched-file.ts';

/** The client certificate of a user in the kubeconfig, if it has one. */
export function createClientCertificate(user: UserEntry): () => Promise<ClientCertificate | undefined> {
  const cert = createMaterial(user.certFile, user.certData);
  const key = createMaterial(user.keyFile, user.keyData);
  if (cert === undefined && key === undefined) return fixed(undefined);
  if (cert === undefined || key === undefined) {
    const [has, lacks] = cert === undefined ? ['client-key', 'client-certificate'] : ['client-certificate', 'client-key'];
    throw new SetpointError('KubeconfigInvalid', `user ${user.name} of the kubeconfig has a ${has} and no ${lacks}`);
  }
  let held: { readonly cert: Buffer; readonly key: Buffer } | undefined;
  return async () => {
    const pair = { cert: await cert(), key: await key() };
    if (held?.cert === pair.cert && held.key === pair.key) return held;
    const problem = problemOf(pair);
    if (problem === undefined) held = pair;
    // The two files are replaced one after the other; in between they do not belong together.
    else if (held === undefined) throw new SetpointError('KubeconfigInvalid', `the client certificate of user ${user.name} cannot be used: ${problem}`);
    return held;
  };
}

/** As in kubectl what is written into the kubeconfig outweighs a file. */
export function createMaterial(file: string | undefined, data: string | undefined): (() => Promise<Buffer>) | undefined {
  if (isGiven(data)) return fixed(Buffer.from(data, 'base64'));
  return isGiven(file) ? createWatchedFile(file) : undefined;
}

// The library has null where its types say undefined.
function isGiven(text: string | null | undefined): text is string {
  return text !== undefined && text !== null && text !== '';
}

function problemOf({ cert, key }: { readonly cert: Buffer; readonly key: Buffer }): string | undefined {
  try {
    return new X509Certificate(cert).checkPrivateKey(createPrivateKey(key)) ? undefined : 'the key belongs to another certificate';
  } catch (error) {
    return (error as Error).message;
  }
}
