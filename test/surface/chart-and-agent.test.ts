// The chart refuses what the agent would refuse when it starts, and nothing else: each row is asked of both.
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { providerNames } from '../../src/config/agent-config.ts';
import { destinationShapes } from '../../src/config/destination-shapes.ts';
import { settingsSchema } from '../../src/config/settings-schema.ts';
import { isList, valueAt, type Json } from '../../src/model/index.ts';
import { parseRedisUrl } from '../../src/queue/redis-address.ts';
import { chartFolder, helm } from '../support/chart.ts';
import { runCli } from '../support/cli.ts';
import { tempFolder } from '../support/temp-folder.ts';

const image = { repository: 'registry.example.com/setpoint' };
const destinations = [{ name: 'hook', type: 'webhook', url: 'https://hooks.example.com' }];

interface Said {
  readonly code: number | null;
  readonly problems: readonly string[];
}

async function chart(values: object): Promise<Said> {
  const { code, stderr } = await helm(['template', 'setpoint', chartFolder, '-n', 'gitops'], { image, ...values });
  // Helm prints its error twice.
  return { code, problems: [...new Set(stderr.split('\n').filter((line) => line.startsWith('- ')))] };
}

async function agent(config: object): Promise<number | null> {
  await using folder = await tempFolder();
  const file = join(folder.path, 'config.yaml');
  await writeFile(file, JSON.stringify({ namespaces: 'all', ...config }));
  return (await runCli(['config', 'check', file])).code;
}

describe('the lists of the schema are those of the code', () => {
  const schema = JSON.parse(readFileSync(join(chartFolder, 'values.schema.json'), 'utf8')) as Json;
  const listAt = (path: string): unknown => {
    const found = path.split(' ').reduce<Json | undefined>((value, key) => valueAt(value, [key]), valueAt(schema, ['properties', 'config', 'properties']));
    return isList(found) ? found : path;
  };

  test.each<[string, readonly string[]]>([
    ['receivers items properties provider enum', providerNames],
    ['destinations items properties type enum', Object.keys(destinationShapes)],
    ['logFormat enum', settingsSchema.shape.logFormat.unwrap().options],
    ['logLevel enum', settingsSchema.shape.logLevel.unwrap().options],
  ])('%s', (path, names) => {
    expect(listAt(path)).toEqual(names);
  });
});

test('a destination of each type wants what the agent wants of it', async () => {
  const types = Object.entries(destinationShapes);
  const { problems } = await chart({ config: { destinations: types.map(([type]) => ({ name: type, type })) } });
  const wanted = types.flatMap(([type, shape], index) => {
    const keys = Object.entries(shape).filter(([key, schema]) => !['name', 'type'].includes(key) && !z.object({ [key]: schema }).safeParse({}).success).map(([key]) => key);
    return type === 'webhook' ? [`- config.destinations[${index}] wants url or urlFile, and has neither`] : keys.map((key) => `- config.destinations[${index}] is of the type ${type} and wants ${key}`);
  });
  expect(wanted.length).toBeGreaterThan(types.length);
  expect(problems.toSorted()).toEqual(wanted.toSorted());
});

const receiver = { id: 'a', provider: 'github', secretFile: '/more/a' };

/** A configuration, and whether it can be meant. */
const configurations: readonly (readonly [boolean, object])[] = [
  // That it is shorter than 10s is refused where the Applications are those of a cluster, which a file alone does not say.
  [true, { interval: '10s' }],
  [true, { interval: '24h' }],
  [false, { interval: '24h1ms' }],
  [true, { sweep: '1s' }],
  [false, { sweep: '0.9999s' }],
  [true, { sweep: '24h' }],
  [false, { sweep: '25h' }],
  [true, { leaseDuration: '4s' }],
  [false, { leaseDuration: '3999ms' }],
  [true, { leaseDuration: '5m' }],
  [false, { leaseDuration: '5m0.5ms' }],
  [false, { sweep: '99999999999999999999h' }],
  [true, { looksAtOnce: 100 }],
  [false, { looksAtOnce: 101 }],
  [false, { clusterName: ' ' }],
  [true, { clusterName: 'a b' }],
  [true, { receivers: [receiver, { ...receiver, id: 'b' }] }],
  [false, { receivers: [receiver, receiver] }],
  [false, { receivers: [{ ...receiver, id: 'a b' }] }],
  [false, { receivers: [{ ...receiver, provider: 'sourcehut' }] }],
  [false, { receivers: [{ id: 'a', provider: 'github' }] }],
  [false, { receivers: [{ ...receiver, secretFiles: ['/more/b'] }] }],
  [true, { destinations }],
  [false, { destinations: [...destinations, ...destinations] }],
  [false, { destinations: [{ name: 'a', type: 'pager' }] }],
  [false, { destinations: [{ name: 'a', url: 'https://hooks.example.com' }] }],
  [false, { destinations: [{ name: 'a', type: 'webhook', url: 'https://hooks.example.com', urlFile: '/more/a' }] }],
];

test.each(configurations)('%j is what chart and agent say of %j', async (isMeant, config) => {
  const [fromChart, fromAgent] = [await chart({ config }), await agent(config)];
  expect([fromChart.code === 0, fromAgent === 0]).toEqual([isMeant, isMeant]);
});

const isAddress = (url: string): boolean => {
  try {
    return parseRedisUrl(url).nodes.length > 0;
  } catch {
    return false;
  }
};

test.each([
  ['redis://r', true],
  ['rediss://r:6380/3?ca=/more/ca', true],
  ['redis://r/first', false],
  ['redis+sentinel://s1:26379,s2/main', true],
  ['rediss+sentinel://s1,s2/main/2', true],
  ['redis+sentinel://s1,s2', false],
  ['redis+sentinel://s1,s2/', false],
  ['redis+sentinel://s1/main/first', false],
  ['redis+cluster://n1,n2', true],
  ['redis+cluster://n1,n2/0', true],
  ['redis+cluster://n1,n2/1', false],
])('of the Redis %s chart and agent say %j', async (url, isMeant) => {
  const { code } = await chart({ config: { destinations }, externalRedis: { url } });
  expect([code === 0, isAddress(url)]).toEqual([isMeant, isMeant]);
});
