import { describe, expect, test } from 'vitest';
import { github, senders, type Sender } from '../../fixtures/webhooks/senders.ts';
import { seededRandom, type SeededRandom } from '../../support/seeded-random.ts';
import { waitFor } from '../../support/wait-for.ts';
import { connectRaw, type RawConnection } from './raw-connection.ts';
import { idOf, startServer, type TestServer } from './start-server.ts';

const mebibyte = 1024 * 1024;
const hook = idOf(github);
const head = (...lines: readonly string[]): string => `${[`POST /hooks/${hook} HTTP/1.1`, 'Host: x', ...lines].join('\r\n')}\r\n\r\n`;

async function stillWorks(server: TestServer): Promise<void> {
  server.pass(10_000);
  expect((await server.post(hook, server.sign(github))).status).toBe(202);
}

describe('1 GiB', () => {
  const gibibyte = 1024 * mebibyte;
  const payload = Buffer.alloc(64 * 1024, 'x');
  const chunk = Buffer.concat([Buffer.from(`${payload.length.toString(16)}\r\n`), payload, Buffer.from('\r\n')]);

  test.each([
    ['in chunks', head('Transfer-Encoding: chunked'), chunk],
    ['announced as such', head(`Content-Length: ${gibibyte}`), payload],
    ['announced as less than the limit, and then more', head('Content-Length: 1000000'), payload],
    ['in chunks and compressed', head('Transfer-Encoding: chunked', 'Content-Encoding: gzip'), chunk],
    ['in chunks, to nobody', head('Transfer-Encoding: chunked').replace(hook, 'nobody'), chunk],
  ])('%s is cut off, and memory stays flat', async (_name, start, piece) => {
    await using server = await startServer();
    await stillWorks(server);
    const before = process.memoryUsage().rss;
    using connection = await connectRaw(server.port);
    connection.write(start);
    const sent = await connection.pour(piece, gibibyte);
    const grown = process.memoryUsage().rss - before;
    await connection.closed();
    // What the kernel keeps on both sides goes beyond what was read.
    expect(sent).toBeLessThan(64 * mebibyte);
    expect(grown).toBeLessThan(64 * mebibyte);
    expect(connection.received()).toMatch(/^HTTP\/1\.1 4(?:00|01|04|13|15) /);
    await stillWorks(server);
  });
});

test('a body that is too large is answered before the connection ends', async () => {
  await using server = await startServer();
  using connection = await connectRaw(server.port);
  connection.write(head(`Content-Length: ${2 ** 40}`));
  expect(await connection.answer()).toBe('HTTP/1.1 413 Payload Too Large');
  await connection.closed();
});

describe('lengths that lie', () => {
  const body = JSON.stringify(github.sample);
  const signed = (server: TestServer, length: number | string): string =>
    head(`Content-Length: ${length}`, ...Object.entries(server.sign(github, { body }).headers).map(([name, value]) => `${name}: ${value}`)) + body;

  test('less is announced than comes: what was announced does not fit its signature, and the rest is no request', async () => {
    await using server = await startServer();
    using connection = await connectRaw(server.port);
    connection.write(signed(server, 100));
    await connection.closed();
    expect(connection.received()).toContain('HTTP/1.1 400 Bad Request');
    expect(server.hints).toEqual([]);
    await stillWorks(server);
  });

  test('more is announced than comes, and then nothing: it is not waited for', async () => {
    await using server = await startServer({ limits: { headersMs: 200, requestMs: 400 } });
    using connection = await connectRaw(server.port);
    connection.write(signed(server, 900_000));
    expect(await connection.answer()).toBe('HTTP/1.1 408 Request Timeout');
    await connection.closed();
    expect(server.hints).toEqual([]);
    await stillWorks(server);
  });

  test('more is announced than comes, and then the end', async () => {
    await using server = await startServer();
    using connection = await connectRaw(server.port);
    connection.write(signed(server, 900_000));
    connection.end();
    await connection.closed();
    expect(server.hints).toEqual([]);
    await stillWorks(server);
  });

  test.each(['-1', '1e3', '0x10', '99999999999999999999999', '10, 20', ''])('a length of "%s" is no request', async (length) => {
    await using server = await startServer();
    using connection = await connectRaw(server.port);
    connection.write(signed(server, length));
    await connection.closed();
    expect(connection.received()).not.toMatch(/HTTP\/1\.1 [25]/);
    expect(server.hints).toEqual([]);
    await stillWorks(server);
  });
});

describe('slow senders', () => {
  const limits = { headersMs: 200, requestMs: 600, keepAliveMs: 200 };

  test('headers that come byte by byte are not waited for', async () => {
    await using server = await startServer({ limits });
    using connection = await connectRaw(server.port);
    const bytes = head(`X: ${'y'.repeat(4_000)}`).split('');
    await waitFor(
      () => {
        connection.write(bytes.shift() ?? '');
        return connection.isClosed;
      },
      { what: 'the server to lose patience' },
    );
    expect(await connection.answer()).toBe('HTTP/1.1 408 Request Timeout');
    await connection.closed();
  });

  test('nor is a body, and its receiver is told', async () => {
    await using server = await startServer({ limits });
    using connection = await connectRaw(server.port);
    connection.write(head('Content-Length: 4000'));
    await waitFor(
      () => {
        connection.write('x');
        return connection.isClosed;
      },
      { what: 'the server to lose patience' },
    );
    expect(await connection.answer()).toBe('HTTP/1.1 408 Request Timeout');
    expect(server.counted).toEqual([`${hook} incomplete`]);
  });

  test('nor one who says nothing at all', async () => {
    await using server = await startServer({ limits });
    using connection = await connectRaw(server.port);
    await connection.closed();
    expect(server.counted).toEqual([]);
  });

  test('300 of them keep nobody else waiting', async () => {
    await using server = await startServer();
    const idle = await Promise.all(Array.from({ length: 300 }, () => connectRaw(server.port)));
    for (const connection of idle) connection.write('POST /hooks/');
    await stillWorks(server);
    expect(idle.filter((connection) => connection.isClosed)).toEqual([]);
    for (const connection of idle) connection[Symbol.dispose]();
  });
});

test('bodies share 32 MiB of memory: who comes when it is taken is asked to come again', async () => {
  await using server = await startServer();
  const almostAll = Buffer.alloc(mebibyte - 1, 'x');
  const connections: RawConnection[] = [];
  for (let count = 0; count < 36; count += 1) {
    const connection = await connectRaw(server.port);
    connection.write(head(`Content-Length: ${mebibyte}`));
    connection.write(almostAll);
    connections.push(connection);
  }
  const refused = (): readonly string[] => connections.map((connection) => connection.received()).filter((text) => text !== '');
  await expect.poll(() => refused().length).toBe(4);
  expect(refused().every((text) => text.startsWith('HTTP/1.1 429 ') && text.includes('retry-after: 1'))).toBe(true);
  for (const connection of connections) connection[Symbol.dispose]();
  await expect.poll(() => server.counted.filter((line) => line.endsWith(' incomplete')).length).toBe(32);
  await stillWorks(server);
});

test.each([
  ['no HTTP', 'hello\r\n\r\n'],
  ['TLS', Buffer.from('16030100a5010000a10303', 'hex')],
  ['NULs', Buffer.alloc(1000)],
  ['an unknown method', 'KICK / HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['headers without end', head().slice(0, -2) + 'X: y\r\n'.repeat(10_000)],
  ['one header of 1 MiB', head(`X: ${'y'.repeat(mebibyte)}`)],
  ['a URL of 1 MiB', head().replace(hook, 'y'.repeat(mebibyte))],
  ['two lengths', head('Content-Length: 2', 'Content-Length: 3')],
  ['a length and chunks', head('Content-Length: 2', 'Transfer-Encoding: chunked')],
  ['an encoding of the transfer that nobody knows', head('Transfer-Encoding: magic')],
  ['a chunk without a length', `${head('Transfer-Encoding: chunked')}zz\r\n`],
  ['a header that is split', head('X: a\rb')],
])('%s is no request: the connection ends without a 5xx', async (_name, bytes) => {
  await using server = await startServer({ limits: { headersMs: 300, requestMs: 600 } });
  using connection = await connectRaw(server.port);
  connection.write(bytes);
  await connection.closed();
  expect(connection.received()).not.toMatch(/HTTP\/1\.1 [25]/);
  await stillWorks(server);
});

test('200 requests at once on one connection are all answered, none with a 5xx', async () => {
  await using server = await startServer();
  using connection = await connectRaw(server.port);
  connection.write(`${head('Content-Length: 2')}{}`.repeat(200));
  await expect.poll(() => connection.received().match(/HTTP\/1\.1 \d{3}/g)?.length).toBe(200);
  expect(new Set(connection.received().match(/HTTP\/1\.1 \d{3}/g))).toEqual(new Set(['HTTP/1.1 401', 'HTTP/1.1 429']));
});

/** One of the usual ways to spoil a body: bits, bytes, pieces, numbers, nesting. */
function mutate(text: string, random: SeededRandom): Buffer {
  const bytes = Buffer.from(text);
  const at = random.below(bytes.length);
  const length = random.below(40);
  switch (random.below(8)) {
    case 0:
      bytes.writeUInt8(random.below(256), at);
      return bytes;
    case 1:
      return bytes.subarray(0, at);
    case 2:
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + length)]);
    case 3:
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at, at + length), bytes.subarray(at)]);
    case 4:
      return Buffer.from(text.replaceAll(/"[^"]*"/g, (word) => (random.below(20) === 0 ? (['null', '7', '[]', '{}', 'true', '""', '"\\ud800"', '1e999'][random.below(8)] ?? '') : word)));
    case 5:
      return Buffer.from(text.replaceAll(/null|\d+|true|false/g, (word) => (random.below(10) === 0 ? (['"x"', '-1', '{"__proto__":{}}', '99999999999999999999'][random.below(4)] ?? '') : word)));
    case 6:
      return Buffer.from(text.replace(/[[{]/g, (bracket) => (random.below(10) === 0 ? bracket.repeat(random.below(50)) : bracket)));
    default:
      return Buffer.from(text.split(',').toSorted(() => random.next() - 0.5).join(','));
  }
}

test('10,000 spoilt bodies, well signed, are all answered, none with a 5xx', async () => {
  const random = seededRandom(Number(process.env['SETPOINT_SEED'] ?? 20_260_302));
  await using server = await startServer();
  const statuses = new Map<number, number>();
  const bodies = senders.map((sender): readonly [Sender, string] => [sender, JSON.stringify(sender.sample)]);
  const before = process.memoryUsage().rss;
  async function sendSome(): Promise<void> {
    for (let count = 0; count < 625; count += 1) {
      const [sender, text] = bodies[random.below(bodies.length)] ?? [github, ''];
      // Small steps, for signatures that have a time.
      server.pass(100);
      const { status } = await server.post(idOf(sender), server.sign(sender, { body: mutate(text, random) }));
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  }
  await Promise.all(Array.from({ length: 16 }, sendSome));
  const grown = (process.memoryUsage().rss - before) / mebibyte;
  process.stdout.write(`seed ${random.seed}: ${JSON.stringify(Object.fromEntries(statuses))}, memory ${grown.toFixed(0)} MiB more, client in the same process\n`);
  expect([...statuses.values()].reduce((sum, count) => sum + count, 0)).toBe(10_000);
  expect([...statuses.keys()].filter((status) => status >= 500)).toEqual([]);
  // They got past the signature, and some remained what they were.
  expect(statuses.get(400)).toBeGreaterThan(100);
  expect(statuses.get(202)).toBeGreaterThan(100);
  await stillWorks(server);
});
