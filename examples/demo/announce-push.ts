// Tells the agent that the branch moved, as a Git host does. The demo’s repository runs it after each push:
// `node announce-push.ts HOOK-URL REPOSITORY-URL SECRET-FILE`.
import { createHmac } from 'node:crypto';
import { readFile } from 'node:fs/promises';

const [hook = '', repository = '', secretFile = ''] = process.argv.slice(2);
const body = JSON.stringify({ repo: repository, ref: 'refs/heads/main' });
const signature = createHmac('sha256', (await readFile(secretFile, 'utf8')).trim()).update(body).digest('hex');
const answer = await fetch(hook, {
  method: 'POST',
  headers: { 'content-type': 'application/json', 'x-signature': `sha256=${signature}` },
  body,
  signal: AbortSignal.timeout(10_000),
});
process.stdout.write(`signed webhook sent to ${hook}: ${answer.status} ${await answer.text()}\n`);
if (!answer.ok) process.exitCode = 1;
