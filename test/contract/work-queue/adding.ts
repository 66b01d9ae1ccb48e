import { describe, expect, test } from 'vitest';
import { waitFor } from '../../support/wait-for.ts';
import type { OpenQueue } from './settings.ts';
import { witness } from './witness.ts';

export function testAdding(open: OpenQueue): void {
  describe('adding', () => {
    test('a key that is added is worked on', async () => {
      const queue = open();
      const work = witness();
      queue.start(work.handler);
      await queue.add('shop/web');
      await work.ran('shop/web');
      expect(work.keys()).toEqual(['shop/web']);
    });

    test('keys that are added before the start wait for it', async () => {
      const queue = open();
      const work = witness();
      await queue.add('a');
      await queue.add('b', { delayMs: 1 });
      queue.start(work.handler);
      await work.ran('a');
      await work.ran('b');
      expect(work.keys()).toEqual(['a', 'b']);
    });

    test('a key that waits is not added twice', async () => {
      const queue = open({ concurrency: 1 });
      const work = witness({ hold: ['first'] });
      queue.start(work.handler);
      await queue.add('first');
      await work.started('first');
      for (let times = 0; times < 5; times += 1) await queue.add('web');
      await queue.add('last');
      work.release('first');
      await work.ran('last');
      expect(work.keys()).toEqual(['first', 'web', 'last']);
    });

    test('a key that is added during its run, however often, runs once more afterwards', async () => {
      const queue = open({ concurrency: 1 });
      const work = witness({ hold: ['web'] });
      queue.start(work.handler);
      await queue.add('web');
      await work.started('web');
      for (let times = 0; times < 5; times += 1) await queue.add('web');
      work.release('web');
      await work.ran('web', 2);
      await queue.add('last');
      await work.ran('last');
      expect(work.keys()).toEqual(['web', 'web', 'last']);
    });

    test('a handler may add the key it is working on', async () => {
      const queue = open();
      const work = witness({ act: ({ key, count }) => (count === 1 ? queue.add(key) : undefined) });
      queue.start(work.handler);
      await queue.add('web');
      await work.ran('web', 2);
      expect(work.mostAtOnce()).toBe(1);
    });

    test('keys run in parallel up to the concurrency and not beyond', async () => {
      const queue = open({ concurrency: 3 });
      const names = ['a', 'b', 'c', 'd', 'e'];
      const work = witness({ hold: names });
      queue.start(work.handler);
      for (const name of names) await queue.add(name);
      await waitFor(() => work.underWay().length === 3, { what: 'three keys under way' });
      for (const name of names) work.release(name);
      for (const name of names) await work.ran(name);
      expect(work.mostAtOnce()).toBe(3);
    });

    test('keys come out as they went in, whatever they are made of', async () => {
      const marks = ['a:b:c', '{x}', 'tab\tand\nline', 'ключ', '"', '\\', '*', '__proto__'];
      const odd = [...marks, '0', '12345', '0:1', 'x'.repeat(1024)];
      const queue = open();
      const work = witness();
      queue.start(work.handler);
      await Promise.all(odd.map((key) => queue.add(key)));
      for (const key of odd) await work.ran(key);
      await Promise.all(odd.map((key) => queue.add(key, { delayMs: 1 })));
      for (const key of odd) await work.ran(key, 2);
      expect(work.keys().toSorted()).toEqual([...odd, ...odd].toSorted());
    });

    test.each(['', 'x'.repeat(1025)])('a key of the wrong length is refused (%#)', async (key) => {
      await expect(open().add(key)).rejects.toMatchObject({ code: 'Internal' });
    });

    test('a second handler is refused', () => {
      const queue = open();
      queue.start(witness().handler);
      expect(() => queue.start(witness().handler)).toThrow('started twice');
    });
  });
}
