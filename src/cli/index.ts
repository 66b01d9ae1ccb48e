// argv in → an exit code, data on stdout, everything else on stderr, out.
export { runCli } from './run-cli.ts';
