import { expect, test } from 'vitest';
import { HandshakeTurns } from '../../delivery/handshake-turns.ts';

/** Turns by hand: each part of a handshake takes as long as it says. */
function byHand() {
  let now = 0;
  let next: (() => void) | undefined;
  const turns = new HandshakeTurns({ now: () => now, later: (begin) => (next = begin) });
  const done: string[] = [];
  return {
    turns,
    /** `workspace:host`, or a host of a workspace by its own name. */
    pass: (name: string, tookMs: number): void => {
      const [workspace = '', host = workspace] = name.split(':');
      turns.pass({ workspace, host }, () => {
        now += tookMs;
        done.push(name);
      });
    },
    /** What the present turn did; then the next one begins. */
    turn: (): string[] => {
      const begin = next;
      next = undefined;
      const parts = done.splice(0);
      begin?.();
      return parts;
    },
  };
}

test('SAFE-2: a turn of the event loop begins no part of a handshake after a slow one', () => {
  const { pass, turn } = byHand();
  for (const host of ['a', 'b', 'c']) pass(host, 70);
  expect([turn(), turn(), turn(), turn()]).toEqual([['a'], ['b'], ['c'], []]);
});

test('parts that are quick are computed in the turn in which they come', () => {
  const { pass, turn } = byHand();
  for (const host of ['a', 'b', 'c', 'd']) pass(host, 5);
  expect(turn()).toEqual(['a', 'b', 'c', 'd']);
});

test('hosts that were trusted come first, until they are slow', () => {
  const { turns, pass, turn } = byHand();
  turns.trust('trusted');
  const three = (): void => {
    for (const host of ['first', 'unknown', 'trusted']) pass(host, 70);
  };
  three();
  expect([turn(), turn(), turn(), turn()]).toEqual([['first'], ['trusted'], ['unknown'], []]);
  three();
  expect([turn(), turn(), turn(), turn()]).toEqual([['first'], ['unknown'], ['trusted'], []]);
});

test('SAFE-2: a host that nobody knows has its turn, however many there are that were trusted', () => {
  const { turns, pass, turn } = byHand();
  turns.trust('known');
  for (let parts = 0; parts < 8; parts += 1) pass('busy:known', 19);
  pass('new', 19);
  expect([turn(), turn(), turn()].flat()).toContain('new');
});

test('SAFE-2: a workspace with handshakes of many hosts keeps another waiting for one of them', () => {
  const { pass, turn } = byHand();
  const many = ['many:1', 'many:2', 'many:3', 'many:4'];
  for (const name of [...many, 'one:1']) pass(name, 70);
  expect([turn(), turn(), turn()]).toEqual([['many:1'], ['many:2'], ['one:1']]);
});

test('a part that fails ends neither its turn nor the next ones', () => {
  const { turns, pass, turn } = byHand();
  expect(() => turns.pass({ workspace: 'a', host: 'a' }, () => fail())).toThrow('broken');
  pass('b', 70);
  pass('c', 70);
  expect([turn(), turn()]).toEqual([['b'], ['c']]);
});

function fail(): never {
  throw new Error('broken');
}
