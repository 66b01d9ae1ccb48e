import { describe, expect, it } from 'vitest';
import { createRoom } from '../../../../src/render/parse/room.ts';

const never = new AbortController().signal;

describe('a room', () => {
  it('lets in as many as it has places, and the others in their order', async () => {
    const room = createRoom(2);
    const order: number[] = [];
    const enter = async (name: number): Promise<() => void> => {
      const leave = await room.enter(never);
      order.push(name);
      return leave;
    };
    const [first, second, third, fourth] = [enter(1), enter(2), enter(3), enter(4)];
    (await first)();
    await third;
    expect(order).toEqual([1, 2, 3]);
    (await second)();
    await fourth;
    expect(order).toEqual([1, 2, 3, 4]);
  });

  it('frees a place once, however often it is left', async () => {
    const room = createRoom(1);
    const leave = await room.enter(never);
    leave();
    leave();
    await room.enter(never);
    const full = room.enter(AbortSignal.timeout(20));
    await expect(full).rejects.toThrow(/timeout/);
  });

  it('does not keep a place for one that gave up', async () => {
    const room = createRoom(1);
    const leave = await room.enter(never);
    const controller = new AbortController();
    const gaveUp = room.enter(controller.signal);
    const patient = room.enter(never);
    controller.abort(new Error('enough'));
    await expect(gaveUp).rejects.toThrow('enough');
    leave();
    await expect(patient).resolves.toBeTypeOf('function');
  });
});
