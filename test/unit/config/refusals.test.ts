import { describe, expect, test } from 'vitest';
import { file, resolve } from './resolve.ts';

const one = { repo: '/r' };

describe('a flag, a variable and a file are each named with what was wanted and what was got', () => {
  test.each<[string, Parameters<typeof resolve>[0], string]>([
    ['a duration', { flags: { interval: '5 m' } }, '--interval wants a duration from 1s to 24h, such as 30s, 5m or 1h30m, got "5 m"'],
    ['a duration that is too short', { flags: { ...one, interval: '10ms' } }, '--interval wants a duration from 1s to 24h'],
    ['a duration that a timer cannot hold', { env: { SETPOINT_SWEEP: '9999h' } }, 'SETPOINT_SWEEP wants a duration from 1s to 24h, such as 30s, 5m or 1h30m, got "9999h"'],
    ['a duration without a unit', { files: [file('state: /s\ninterval: 60\n')] }, 'config.yaml:2: interval wants a duration from 1s to 24h, such as 30s, 5m or 1h30m, got the number 60'],
    ['a number', { env: { SETPOINT_LOOKS_AT_ONCE: 'many' } }, 'SETPOINT_LOOKS_AT_ONCE wants a whole number from 1 to 100, got "many"'],
    ['a number that is too large', { files: [file('looksAtOnce: 101')] }, 'config.yaml:1: looksAtOnce wants a whole number from 1 to 100, got the number 101'],
    ['a choice', { files: [file('logLevel: loud')] }, 'config.yaml:1: logLevel wants one of debug, info, warn, error, got "loud"'],
    ['a path upwards', { flags: { ...one, path: '../x' } }, '--path wants a folder or file inside the repository, got "../x"'],
    ['an absolute path', { flags: { ...one, path: '/etc' } }, '--path wants a folder or file inside the repository, got "/etc"'],
    ['a name with a slash', { flags: { ...one, name: 'a/b' } }, '--name wants 1 to 100 letters, digits, dots, dashes and underscores, got "a/b"'],
    ['a truth value', { env: { SETPOINT_REPO: '/r', SETPOINT_SKIP_CRDS: 'maybe' } }, 'SETPOINT_SKIP_CRDS wants true or false, got "maybe"'],
    ['an address without a host', { flags: { listenOperations: ':8081' } }, '--listen-operations wants HOST:PORT, such as 127.0.0.1:8081, or 0.0.0.0:8081 for all addresses, or none, got ":8081"'],
    ['a port that is none', { flags: { listenHooks: 'h:65536' } }, '--listen-hooks wants HOST:PORT'],
    ['a namespace', { flags: { namespaces: 'shop,Search' } }, '--namespaces wants all, or names of namespaces with commas between them, got "shop,Search"'],
    ['no namespace', { files: [file('namespaces: []')] }, 'namespaces wants all, or names of namespaces with commas between them, got an empty list'],
    ['a lease', { flags: { lease: '-x' } }, '--lease wants a name of 1 to 253'],
    ['a folder that nobody expands', { files: [file('state: ~/state')] }, 'config.yaml:1: state wants a path, without ~, got "~/state"'],
    ['a mapping for a text', { files: [file('context: { name: x }')] }, 'config.yaml:1: context wants a name, got a mapping'],
    ['nothing', { flags: { repo: '' } }, '--repo wants a Git URL or a local path, got nothing'],
    ['a control character', { flags: { ...one, name: 'a\u001b[2J' } }, String.raw`got "a\u001b[2J"`],
  ])('%s', (_name, said, message) => {
    expect(() => resolve(said)).toThrow(expect.objectContaining({ code: 'Usage', message: expect.stringContaining(message) as string }));
  });

  test('all at once, a file from top to bottom', () => {
    const problems = ['--lease wants', 'SETPOINT_SWEEP wants', 'config.yaml:1: colour is not known', 'config.yaml:2: interval wants', 'config.yaml:3: stat is not known: did you mean state?'];
    const said = { flags: { lease: 'A' }, env: { SETPOINT_SWEEP: 'x' }, files: [file('colour: red\ninterval: soon\nstat: /s\n')] };
    expect(() => resolve(said)).toThrow(new RegExp(problems.map((problem) => problem.replaceAll(/[.?]/g, String.raw`\$&`)).join('.*; ')));
  });
});

describe('a secret is in no message', () => {
  const canary = 'c4nary';
  test.each<[string, Parameters<typeof resolve>[0]]>([
    ['a webhook that is no URL', { flags: { notifyWebhook: `hooks.example.com/${canary}` } }],
    ['a webhook that is no HTTP', { env: { SETPOINT_NOTIFY_WEBHOOK: `ftp://${canary}` } }],
    ['a webhook in two lines', { flags: { notifyWebhook: `https://h/\n${canary}` } }],
    ['a Redis of another kind', { files: [file(`redis: "amqp://:${canary}@h"`)] }],
    ['a Redis in a list', { files: [file(`redis: [${canary}]`)] }],
    ['a value of a chart', { flags: { ...one, set: [canary] } }],
    ['a value of a chart in a variable', { env: { SETPOINT_REPO: '/r', SETPOINT_SET_STRING: canary } }],
    ['a key that is a value', { files: [file(`"redis://:${canary}@h:6379": x`)] }],
    ['a document that is one value', { files: [file(`redis:rediss://:${canary}@h`)] }],
    ['YAML that breaks off', { files: [file(`redis: "rediss://:${canary}@h`)] }],
    ['YAML that is out of order', { files: [file(`a: b\n  redis: ${canary}\n`)] }],
    ['a strange sign', { files: [file(`redis: @${canary}`)] }],
    ['a tag', { files: [file(`redis: !${canary} x`)] }],
    ['an alias to nothing', { files: [file(`redis: *${canary}`)] }],
    ['repo and files at once', { flags: { repo: `https://u:${canary}@h/r`, filename: 'x' } }],
  ])('%s', (_name, said) => {
    const message = messageOf(() => resolve(said));
    expect(message).not.toBe('');
    expect(message).not.toContain(canary);
  });
});

describe('a file that is no configuration', () => {
  test.each([
    ['a list', '- a', 'config.yaml: a mapping of keys is wanted, got a list'],
    ['a text', 'interval=60s', 'config.yaml: a mapping of keys is wanted, got one value'],
    ['a key twice', 'interval: 60s\nsweep: 1h\ninterval: 5m\n', 'config.yaml:3: this key is there twice'],
    ['two documents', 'interval: 60s\n---\nsweep: 1h\n', 'config.yaml:2: one document is wanted, got another'],
    ['a tab', 'receivers:\n\t- id: a\n', 'config.yaml:2: a tab is no indentation'],
    ['an open bracket', 'interval: 60s\nreceivers: [', 'config.yaml:2: the indentation does not fit, or something is not closed'],
    ['an open quote', 'interval: "60s', 'config.yaml:1: this is no YAML (missing char)'],
    ['an unknown tag', 'interval: !soon 60s', 'config.yaml:1: a tag that is not known'],
    ['a key of an object', '__proto__: { interval: 5m }', 'config.yaml:1: __proto__ is not known'],
    ['a key that is a list', '? [a, b]\n: c', 'is no name of a key'],
    ['a megabyte and more', `# ${'x'.repeat(1024 * 1024)}`, 'a configuration has at most 1048576 characters'],
    ['brackets to the bottom of the stack', '['.repeat(20_000), 'config.yaml'],
    ['a thousand laughs', `a0: &a0 [x,x,x,x,x,x,x,x,x]\n${[1, 2, 3, 4, 5, 6, 7].map((level) => `a${level}: &a${level} [${Array(9).fill(`*a${level - 1}`).join(',')}]`).join('\n')}`, 'aliases (*NAME) are not known, or stand for too much'],
  ])('%s is refused', (_name, text, message) => {
    expect(() => resolve({ files: [file(text)] })).toThrow(expect.objectContaining({ code: 'Usage', message: expect.stringContaining(message) as string }));
  });
});

test('variables of others are left alone', () => {
  const others = ['GIT_TOKEN', 'GIT_USERNAME', 'GIT_PASSWORD', 'REDIS_CA', 'REDIS_KEY', 'REDIS_PASSWORD', 'RENDER_ENGINE', 'ROOT', 'PORT', 'SERVICE_HOST', 'SERVICE_PORT', 'PORT_8080_TCP', 'REDIS_SERVICE_HOST', 'SEED', 'SEEDS'];
  expect(resolve({ env: Object.fromEntries(others.map((name) => [`SETPOINT_${name}`, 'x'])) }).warnings).toEqual([]);
});

test('a variable that looks like a slip is a warning', () => {
  expect(resolve({ env: { SETPOINT_INTERVALL: '5m', SETPOINT_NOTIFYWEBHOOK: 'https://h/c4nary' } }).warnings).toEqual([
    'SETPOINT_INTERVALL is not known: did you mean SETPOINT_INTERVAL?',
    'SETPOINT_NOTIFYWEBHOOK is not known: did you mean SETPOINT_NOTIFY_WEBHOOK?',
  ]);
});

function messageOf(act: () => unknown): string {
  try {
    act();
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}
