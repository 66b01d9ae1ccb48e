#!/usr/bin/env node
import { existsSync } from 'node:fs';
import module from 'node:module';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(`setpoint: needs Node.js 22.19 or newer, this is ${process.versions.node}\n`);
  process.exit(2);
}
// Keeps compiled code between runs: half of the start-up time of the Kubernetes and Git libraries.
module.enableCompileCache();
// A clone runs from its sources; a package has none.
const source = new URL('../src/main.ts', import.meta.url);
await import(existsSync(source) ? source.href : new URL('../dist/agent/main.js', import.meta.url).href);
