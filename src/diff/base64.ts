const alphabet = /^[A-Za-z0-9+/]*={0,2}$/;

/**
 * The same bytes in the one spelling that the server uses, or undefined where the text is no base64. As Go reads it: with its padding,
 * broken into lines anywhere, and whatever the bits beyond the last byte are.
 */
export function canonicalBase64(text: string): string | undefined {
  const compact = text.replaceAll(/[\r\n]/g, '');
  if (compact.length % 4 !== 0 || !alphabet.test(compact)) return undefined;
  return Buffer.from(compact, 'base64').toString('base64');
}
