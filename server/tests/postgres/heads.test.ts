import { expect, test } from 'vitest';
import { Heads } from '../../storage/postgres/deliveries/heads.ts';

const LATER = 9_000_000;

function headsAt(now: number) {
  const time = { at: now };
  return { time, heads: new Heads({ now: () => time.at }) };
}

test('HOOK-9: what is put back while a queue is looked at is looked for by its age, and not passed until the next minute', () => {
  const { time, heads } = headsAt(1_000_000);
  const first = heads.look('d');
  heads.postponed('d', 5_000);
  heads.postponed('other', 4_000);
  first.whole(LATER, 900_000);
  expect(heads.of('d')?.oldestAt).toBe(5_000);
  // What the look before has found holds no more, and another is under way.
  time.at += 60_000;
  const second = heads.look('d');
  heads.postponed('d', 7_000);
  second.whole(LATER, 900_000);
  expect(heads.of('d')?.oldestAt).toBeLessThanOrEqual(7_000);
});

test('a look that began behind it has seen it', () => {
  const { heads } = headsAt(1_000_000);
  const first = heads.look('d');
  heads.postponed('d', 5_000);
  first.whole(LATER, 900_000);
  heads.look('d').onward(LATER, 800_000);
  expect(heads.of('d')?.oldestAt).toBe(800_000);
  const second = heads.look('d');
  heads.postponed('d', 6_000);
  second.onward(LATER, 850_000);
  expect(heads.of('d')?.oldestAt).toBe(6_000);
  heads.look('d').whole(LATER, 900_000);
  expect(heads.of('d')?.oldestAt).toBe(900_000);
});
