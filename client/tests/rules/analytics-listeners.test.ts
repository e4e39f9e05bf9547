import { expect, test } from 'vitest';
import { Emitter } from '../../analytics/emitter.ts';

test('what listeners are told is made only while somebody listens', () => {
  const emitter = new Emitter<{ readonly told: number }>(() => {});
  let made = 0;
  const emit = (): void => emitter.emit('told', () => (made += 1));
  emit();
  const heard: number[] = [];
  const off = emitter.on('told', (count) => heard.push(count));
  emit();
  off();
  emit();
  expect([made, heard]).toEqual([1, [1]]);
});

test('a listener that throws or rejects keeps nothing from the others', async () => {
  const thrown: unknown[] = [];
  const emitter = new Emitter<{ readonly told: number }>((error) => thrown.push(error));
  const heard: number[] = [];
  emitter.on('told', () => {
    throw new Error('thrown');
  });
  emitter.on('told', () => Promise.reject(new Error('rejected')));
  const off = emitter.on('told', (count) => {
    off();
    heard.push(count);
  });
  emitter.on('told', (count) => heard.push(count));
  emitter.emit('told', () => 1);
  await Promise.resolve();
  expect([thrown, heard]).toEqual([
    [new Error('thrown'), new Error('rejected')],
    [1, 1],
  ]);
});
