export async function readAll(stream: NodeJS.ReadStream): Promise<Uint8Array> {
  return Buffer.concat((await Array.fromAsync(stream)) as Buffer[]);
}
