import { expect, test } from 'vitest';
import { explainDeath } from '../../../../src/render/engine/wasm/explain-death.ts';

test.each([
  { left: 'fatal error: runtime: out of memory\n\ngoroutine 7', code: 'SourceTooLarge', says: /^The chart in a needs more memory than a render may take\.$/ },
  { left: 'runtime: goroutine stack exceeds 67108864-byte limit\nfatal error: stack overflow', code: 'RenderFailed', says: /recurses without end/ },
  { left: 'Worker terminated due to reaching memory limit: JS heap out of memory', code: 'SourceTooLarge', says: /memory/ },
  { left: 'panic: index out of range\n\ngoroutine 1', code: 'RenderFailed', says: /crash: panic: index out of range\.$/ },
  { left: '', code: 'RenderFailed', says: /no message/ },
])('a worker that leaves $left is told as $code', ({ left, code, says }) => {
  expect(explainDeath('The chart in a', left)).toMatchObject({ code, message: expect.stringMatching(says) });
});
