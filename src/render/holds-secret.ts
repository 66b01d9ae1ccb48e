const secret = /kind["']?\s*:\s*(?:[!&]\S*\s+)?["']?Secret(?:List)?\b/;

/** Whether a text may hold the values of a Secret: then no copy of it is kept. Git's own objects are the only place on disk that has them. */
export function holdsSecret(text: string | Uint8Array): boolean {
  if (typeof text === 'string') return secret.test(text);
  const bytes = Buffer.from(text.buffer, text.byteOffset, text.byteLength);
  return bytes.includes('Secret') && secret.test(bytes.toString('latin1'));
}
