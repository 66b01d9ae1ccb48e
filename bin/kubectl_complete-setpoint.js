#!/usr/bin/env node
// kubectl runs this with the words that follow `kubectl setpoint`.
process.argv.splice(2, 0, '__complete');
await import('./setpoint.js');
