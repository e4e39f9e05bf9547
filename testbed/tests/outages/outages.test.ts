import { expect, test } from 'vitest';
import { OUTAGES } from '../../outages/outages.ts';
import { rehearse, type Rehearsal } from '../../outages/rehearse.ts';
import { brokenInvariants } from '../../simulation/invariants.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

function deliveriesOf({ simulation }: Rehearsal) {
  return simulation.deliveries.map((delivery) => {
    const last = delivery.attempts.at(-1);
    const endedAt = last === undefined ? Number.NaN : last.startedAt + last.durationMs;
    return { ...delivery, tookMs: endedAt - delivery.message.receivedAt };
  });
}

function statesOf(rehearsal: Rehearsal): readonly string[] {
  return [...new Set(rehearsal.simulation.deliveries.map(({ state }) => state))].toSorted();
}

function attemptsDuring({ simulation, span }: Rehearsal) {
  return simulation.deliveries
    .flatMap(({ attempts }) => attempts)
    .filter(({ startedAt }) => startedAt >= span.from && startedAt < span.to);
}

/** How many attempts a dead endpoint got, less one for each event that expired. */
async function attemptsBeyondLastTries(events: number): Promise<number> {
  const run = await rehearse({ outage: 'dead', events, hours: 9 });
  expect(statesOf(run)).toEqual(['delivered', 'expired']);
  const expired = run.simulation.deliveries.filter(({ state }) => state === 'expired');
  return attemptsDuring(run).length - expired.length;
}

test.each(OUTAGES)('HOOK-9, HOOK-10, HOOK-18: the invariants hold through $name', async ({ name }) => {
  for (const seed of [1, 2, 3]) {
    const { simulation } = await rehearse({ outage: name, destinations: 2, webhooks: 2, hours: 9, seed });
    expect(brokenInvariants(simulation)).toEqual([]);
  }
});

test('a deploy blip delays events by moments, and parks for seconds', async () => {
  const run = await rehearse({ outage: 'deploy-blip' });
  expect(statesOf(run)).toEqual(['delivered']);
  expect(Math.max(...deliveriesOf(run).map(({ tookMs }) => tookMs))).toBeLessThan(2 * MINUTE);
  expect(new Set(attemptsDuring(run).map(({ outcome }) => outcome))).toEqual(new Set(['reset', 'delivered']));
  const parked = run.simulation.parkings.map(({ from, to = Number.NaN }) => to - from);
  expect(parked).toHaveLength(1);
  expect(Math.max(...parked)).toBeLessThan(30 * SECOND);
});

test.each(OUTAGES)('by default enough events come for $name to show', async ({ name, expects }) => {
  const run = await rehearse({ outage: name });
  // Slow bodies are no failures.
  const shows = attemptsDuring(run).filter(({ outcome }) => name === 'slow-body' || outcome !== 'delivered');
  expect(shows.length, expects).toBeGreaterThanOrEqual(5);
});

test('D-24: a body that comes too late makes no event come twice', async () => {
  const run = await rehearse({ outage: 'slow-body' });
  expect(statesOf(run)).toEqual(['delivered']);
  expect(run.simulation.deliveries.filter(({ attempts }) => attempts.length !== 1)).toEqual([]);
  expect(run.simulation.parkings).toEqual([]);
});

test('HOOK-8: a brown-out is timeouts and retries, and loses nothing', async () => {
  const run = await rehearse({ outage: 'brown-out', events: 240 });
  expect(statesOf(run)).toEqual(['delivered']);
  const outcomes = new Set(attemptsDuring(run).map(({ outcome }) => outcome));
  expect(outcomes).toEqual(new Set(['delivered', 'first_byte_timeout']));
});

test('HOOK-11: while a certificate is expired nothing gets through, afterwards all', async () => {
  const run = await rehearse({ outage: 'certificate-expiry' });
  expect(new Set(attemptsDuring(run).map(({ outcome }) => outcome))).toEqual(new Set(['tls_expired']));
  expect(statesOf(run)).toEqual(['delivered']);
  expect(run.simulation.parkings).toHaveLength(1);
});

test('D-23: in a burst of 429 nobody is asked again before Retry-After, but for the probe', async () => {
  const run = await rehearse({ outage: 'rate-limit-burst', policy: { parkAfter: 1_000 } });
  expect(statesOf(run)).toEqual(['delivered']);
  const gaps = run.simulation.deliveries.flatMap(({ attempts }) =>
    attempts.slice(1).map(({ startedAt }, index) => {
      const before = attempts[index];
      return before?.outcome === 'http_429' ? startedAt - before.startedAt - before.durationMs : Number.NaN;
    }),
  );
  const asked = gaps.filter((gap) => !Number.isNaN(gap));
  expect(asked.length).toBeGreaterThan(5);
  expect(Math.min(...asked)).toBeGreaterThanOrEqual(60 * SECOND);
});

test('a DNS flap is got through in its good moments', async () => {
  const run = await rehearse({ outage: 'dns-flap', events: 240 });
  expect(statesOf(run)).toEqual(['delivered']);
  expect(new Set(attemptsDuring(run).map(({ outcome }) => outcome))).toEqual(new Set(['delivered', 'dns_error']));
});

test('HOOK-8: a half-open connection holds an attempt for five seconds, and few at a time', async () => {
  const run = await rehearse({ outage: 'half-open', events: 600 });
  expect(statesOf(run)).toEqual(['delivered']);
  const held = attemptsDuring(run);
  expect(held.every(({ durationMs, outcome }) => durationMs === 5_000 && outcome === 'first_byte_timeout')).toBe(true);
  // Parked after ten rounds; from then on one probe at a time.
  expect(held.length).toBeLessThan(40);
});

test('HOOK-18: a challenge page refuses its events for good, with one attempt each', async () => {
  const run = await rehearse({ outage: 'challenge-page', events: 120 });
  const failed = run.simulation.deliveries.filter(({ state }) => state === 'failed');
  expect(failed.length).toBeGreaterThan(5);
  for (const { attempts, message } of failed) {
    expect(attempts).toHaveLength(1);
    expect(message.receivedAt).toBeGreaterThanOrEqual(run.span.from);
    expect(message.receivedAt).toBeLessThan(run.span.to);
  }
  expect(statesOf(run)).toEqual(['delivered', 'failed']);
});

test('D-25: a dead endpoint costs few attempts beyond one last try for each event', async () => {
  const [few, many] = [await attemptsBeyondLastTries(60), await attemptsBeyondLastTries(2_000)];
  expect(few).toBeLessThan(250);
  expect(many).toBeLessThan(250);
});

test('the tests above see a router that gives up too early', async () => {
  const run = await rehearse({ outage: 'certificate-expiry', policy: { windowMs: 30 * MINUTE } });
  expect(statesOf(run)).toEqual(['delivered', 'expired']);
});

test('an outage that is not in the library is refused with a hint', async () => {
  await expect(rehearse({ outage: 'brownout' })).rejects.toThrow('"brownout" is no outage; did you mean brown-out?');
  await expect(rehearse({ outage: 'dead', hours: -1 })).rejects.toThrow('hours is -1');
});
