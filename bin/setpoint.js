#!/usr/bin/env node
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(`setpoint: needs Node.js 22.19 or newer, this is ${process.versions.node}\n`);
  process.exit(2);
}
await import('../src/main.ts');
