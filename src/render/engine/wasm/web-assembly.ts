/** Compiled code, opaque; it can be posted to other threads. */
export interface WasmModule {
  readonly [Symbol.toStringTag]: 'WebAssembly.Module';
}

export interface WasmInstance {
  readonly [Symbol.toStringTag]: 'WebAssembly.Instance';
}

interface WasmApi {
  compile(bytes: Uint8Array): Promise<WasmModule>;
  instantiate(module: WasmModule, imports: object): Promise<WasmInstance>;
}

/** What we use of it: TypeScript has the types only together with those of a browser. */
export const webAssembly = globalThis.WebAssembly as unknown as WasmApi;
