#!/usr/bin/env node
import module from 'node:module';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(`setpoint: needs Node.js 22.19 or newer, this is ${process.versions.node}\n`);
  process.exit(2);
}
// Keeps compiled code between runs: half of the start-up time of the Kubernetes and Git libraries.
module.enableCompileCache();
await import('../src/main.ts');
