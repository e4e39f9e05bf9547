import { expect, onTestFinished, test, vi } from 'vitest';
import { createSystemClock } from '../../system-clock.ts';

const [SECOND, MINUTE, HOUR] = [1_000, 60_000, 3_600_000];
const BEGIN = Date.UTC(2030, 0);

/** A machine that was up for a day when its clock was made, and what happens to it. */
function startMachine() {
  const time = { wall: BEGIN, awake: BEGIN, up: 24 * HOUR };
  const pass = (ms: number): void => {
    time.awake += ms;
    asleep(ms);
  };
  const asleep = (ms: number): void => {
    time.wall += ms;
    time.up += ms;
  };
  const set = (ms: number): void => void (time.wall += ms);
  let interruption = 0;
  const machine = {
    now: () => time.wall,
    awake: () => time.awake,
    up: () => {
      const read = time.up;
      pass(interruption);
      interruption = 0;
      return read;
    },
  };
  const clock = createSystemClock(machine);
  const passed = (): number => clock.steady() - BEGIN;
  return { clock, pass, asleep, set, passed, interrupt: (ms: number) => (interruption = ms) };
}

test('HOOK-21: steady time goes on with the machine, however its wall is set', () => {
  const { clock, pass, set, passed } = startMachine();
  for (const ms of [HOUR, -3 * HOUR, 600]) {
    set(ms);
    pass(SECOND);
    passed();
  }
  expect([passed(), clock.now() - BEGIN]).toEqual([3 * SECOND, 3 * SECOND - 2 * HOUR + 600]);
});

test('NODE-3: time in which the machine slept has passed', () => {
  const { pass, asleep, set, passed } = startMachine();
  pass(SECOND);
  asleep(HOUR);
  pass(5);
  expect(passed()).toBe(HOUR + SECOND + 5);
  // It is set by an hour more, and sleeps again.
  set(HOUR);
  pass(5);
  asleep(20 * SECOND);
  pass(5);
  expect(passed()).toBe(HOUR + 21 * SECOND + 15);
});

test('NODE-3: a sleep is noticed also by a machine whose wall is set back when it wakes up', () => {
  const { pass, asleep, set, passed } = startMachine();
  asleep(HOUR);
  set(-10 * MINUTE);
  pass(5);
  expect(passed()).toBe(HOUR + 5);
});

test('HOOK-21: a process that stands still while it reads both clocks takes that for no sleep, and reads them again', () => {
  const { pass, asleep, set, passed, interrupt } = startMachine();
  set(HOUR);
  pass(5);
  interrupt(10 * SECOND);
  expect(passed()).toBe(10 * SECOND + 5);
  asleep(MINUTE);
  pass(5);
  interrupt(10 * SECOND);
  expect(passed()).toBe(20 * SECOND + 10);
  pass(5);
  expect(passed()).toBe(MINUTE + 20 * SECOND + 15);
});

test('a wait that the machine sleeps through ends within a minute, and never early', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { clock, pass, asleep } = startMachine();
  let isOver = false;
  const wait = clock.sleep(10 * HOUR).then(() => (isOver = true));
  const advance = async (ms: number): Promise<void> => {
    pass(ms);
    await vi.advanceTimersByTimeAsync(ms);
  };
  await advance(59 * SECOND);
  asleep(10 * HOUR - 61 * SECOND);
  await advance(SECOND);
  expect(isOver).toBe(false);
  await advance(SECOND);
  await wait;
  expect(isOver).toBe(true);
});

test('a wait of nothing has a timer of nothing, also where a millisecond ends while the clock is read', async () => {
  const set = vi.spyOn(globalThis, 'setTimeout');
  onTestFinished(() => set.mockRestore());
  let awake = BEGIN;
  const clock = createSystemClock({ now: () => awake, awake: () => (awake += 1), up: () => awake });
  await clock.sleep(0);
  expect(set.mock.calls.map(([, ms]) => ms)).toEqual([0]);
});

test('a wait of nothing lets others go on, and one that is aborted ends at once', async () => {
  const { clock } = startMachine();
  let hasTurned = false;
  setImmediate(() => (hasTurned = true));
  await clock.sleep(0);
  expect(hasTurned).toBe(true);
  const abort = new AbortController();
  const wait = clock.sleep(HOUR, abort.signal);
  abort.abort();
  await wait;
  await clock.sleep(HOUR, abort.signal);
});
