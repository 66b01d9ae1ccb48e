/** The same bytes in the one spelling that the server uses, or undefined where the text is no base64. */
export function canonicalBase64(text: string): string | undefined {
  const compact = text.replaceAll(/[\r\n]/g, '');
  const canonical = Buffer.from(compact, 'base64').toString('base64');
  return canonical === compact ? canonical : undefined;
}
