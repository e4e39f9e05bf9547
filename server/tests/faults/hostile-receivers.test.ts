import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { HOSTILE_ROWS, type Timing } from '../../../scripts/hostile/rows.ts';
import { bodyOf, createSender, post } from '../../../scripts/hostile/sender.ts';
import { startHostile } from '../../../scripts/hostile/start.ts';
import { createAuthority } from '../../../testbed/tls/tls-fault.ts';
import { outcomeOf } from '../../model/outcome.ts';

/** The deadline of production, with a wide margin: all of them at once on a busy machine are no fault. */
const TIMING: Timing = { deadlineMs: 5_000, marginMs: 3_500 };
/** On any machine a slot is free so long after its deadline; `npm run test:hostile` measures it to the millisecond. */
const GRACE_MS = 4_000;

const authority = createAuthority(Date.now());
const system = getCACertificates('default');
beforeAll(() => setDefaultCACertificates([...system, authority.certificate]));
afterAll(() => setDefaultCACertificates(system));

test.concurrent.each(HOSTILE_ROWS)('D-24: the slot is free again after: $fault', async (row) => {
  await using sender = createSender(TIMING.deadlineMs);
  await using receiver = await startHostile(row, TIMING, authority);
  const started = performance.now();
  const result = await post(sender, receiver.url, TIMING.deadlineMs, bodyOf(row.bodyBytes));
  const slotMs = performance.now() - started;
  expect(outcomeOf(result), JSON.stringify(result)).toBe(row.outcome);
  expect(slotMs).toBeLessThan(TIMING.deadlineMs + GRACE_MS);
  // Timers count whole milliseconds, from the time at which the loop last looked at the clock.
  expect(slotMs).toBeGreaterThanOrEqual(row.until === 'deadline' ? TIMING.deadlineMs - 20 : 0);
  expect(result.kind === 'answered' ? result.excerpt.length : 0).toBeLessThanOrEqual(1024);
  // Nothing is sent twice, neither after a fault nor after a redirect.
  expect(receiver.requests?.() ?? 1).toBeLessThanOrEqual(1);
});

test('every fault of the battery has a name of its own', () => {
  expect(new Set(HOSTILE_ROWS.map(({ fault }) => fault)).size).toBe(HOSTILE_ROWS.length);
});
