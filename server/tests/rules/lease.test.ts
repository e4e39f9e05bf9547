import { expect, test } from 'vitest';
import { VirtualClock } from '../../../testbed/simulation/virtual-clock.ts';
import { Lease } from '../../delivery/lease.ts';

const MINUTE = 60_000;

/** A lease, and whether it has ended. */
function startLease() {
  const clock = new VirtualClock();
  const lease = new Lease(clock);
  const seen = { hasEnded: false };
  const ended = lease.ended().then(() => (seen.hasEnded = true));
  return { clock, lease, seen, ended };
}

test('NODE-3: a lease that was given no end holds for ever', async () => {
  const { clock, lease, seen } = startLease();
  await clock.advance(1_000 * MINUTE);
  expect([lease.isEndless, lease.holds, seen.hasEnded]).toEqual([true, true, false]);
});

test('NODE-3: a lease ends at its moment, and not before', async () => {
  const { clock, lease, seen } = startLease();
  const until = clock.steady() + MINUTE;
  lease.renew(until);
  const ended = lease.ended().then(() => clock.steady());
  expect([lease.isEndless, lease.holds]).toEqual([false, true]);
  await clock.advance(MINUTE - 1);
  expect(lease.holds).toBe(true);
  await clock.advance(1);
  expect([lease.holds, await ended, seen.hasEnded]).toEqual([false, until, true]);
});

test('NODE-3: a lease that is renewed in time ends at the later moment', async () => {
  const clock = new VirtualClock();
  const lease = new Lease(clock);
  const until = clock.steady() + 2 * MINUTE;
  lease.renew(clock.steady() + MINUTE);
  const ended = lease.ended().then(() => clock.steady());
  await clock.advance(MINUTE - 1);
  lease.renew(until);
  await clock.advance(2 * MINUTE);
  expect(await ended).toBe(until);
});

test('NODE-3: a lease that has ended does not begin again', async () => {
  const clock = new VirtualClock();
  const lease = new Lease(clock);
  lease.renew(clock.steady() + MINUTE);
  const ended = lease.ended();
  await clock.advance(MINUTE);
  await ended;
  lease.renew(clock.steady() + MINUTE);
  expect(lease.holds).toBe(false);
});

test('NODE-3: a lease that is revoked ends at once, with or without an end of its own', async () => {
  const { clock, lease, seen } = startLease();
  lease.revoke();
  await clock.advance(0);
  expect([lease.holds, seen.hasEnded, clock.sleepers]).toEqual([false, true, 0]);
  const other = new Lease(clock);
  other.renew(clock.steady() + MINUTE);
  other.revoke();
  expect(other.holds).toBe(false);
  await other.ended();
});
