import { expect, test } from 'vitest';
import { Memory } from '../../../server/storage/memory/memory.ts';
import { DEFAULT_POLICY } from '../../../server/model/policy.ts';
import type { Target } from '../../../server/delivery/target.ts';
import type { Result } from '../../certify/certify.ts';
import { certifySenderIn } from '../../certify-sender/certify-sender.ts';
import { START } from '../../simulation/simulate.ts';
import { Parkings } from '../../simulation/parkings.ts';
import { seededRandom } from '../../simulation/seeded-random.ts';
import { SimulatedRouter } from '../../simulation/simulated-router.ts';
import { SimulatedTransport } from '../../simulation/simulated-transport.ts';
import { VirtualClock } from '../../simulation/virtual-clock.ts';
import type { Promises } from '../support/tried-senders.ts';
import { inVirtualTime, VirtualStand } from '../support/virtual-stand.ts';

const SECRET = 's3cret';
const DESTINATION = 'workspaces/main/sources/s/destinations/webhooks';

/** The production engine with the policy of production, in virtual time. */
async function certifyEngine(
  budgetMs: number,
  seed: number,
  settings: Pick<Target, 'limits' | 'inOrder'> = {},
  promises: Promises = {},
) {
  const clock = new VirtualClock(START);
  const stand = new VirtualStand(clock);
  const store = new Memory({ clock }).open();
  const target = { webhooks: [{ url: stand.url, headers: {} }], sharedSecret: SECRET, ...settings };
  const transport = new SimulatedTransport(clock, stand.endpoint);
  const { log } = new Parkings(clock);
  const ports = { policy: DEFAULT_POLICY, random: seededRandom(seed), transport, targets: () => target, store, log };
  const router = new SimulatedRouter(clock, ports, (same) => same);
  await router.start();
  const trigger = async ({ mark }: { readonly mark: string }): Promise<void> =>
    router.accept({ at: 0, destination: DESTINATION, messageId: mark });
  const options = { trigger, budgetMs, retryWithinMs: 30_000, secret: SECRET, ...promises };
  return inVirtualTime(clock, certifySenderIn({ clock, open: stand.open }, options));
}

/** What nobody can judge of a sender that promises neither a limit nor an order. */
const UNPROMISED = ['order', 'burst', 'burst-retries', 'rate'];

function idsOf(results: readonly Result[]): readonly string[] {
  return results.map(({ id }) => id);
}

test.each([1, 2, 3])('Waybill passes all that it promises within half an hour, seed %i', async (seed) => {
  const { results, schedule, userAgent } = await certifyEngine(1_800_000, seed);
  expect(idsOf(results.filter(({ verdict }) => verdict !== 'passed'))).toEqual(UNPROMISED);
  expect(schedule.length).toBeGreaterThan(4);
  expect(userAgent).toMatch(/^Waybill\//);
});

test.each([1, 5, 40])(
  'Waybill keeps to a limit of %i a second, with retries that fall due together',
  async (perSecond) => {
    const { results } = await certifyEngine(1_800_000, 1, { limits: { perSecond } }, { maxPerSecond: perSecond });
    const ids = ['burst', 'burst-retries', 'rate'];
    const seen = results.filter(({ id }) => ids.includes(id)).map(({ id, verdict }) => [id, verdict]);
    expect(seen).toEqual(ids.map((id) => [id, 'passed']));
    expect(results.filter(({ verdict }) => verdict === 'failed' || verdict === 'advice')).toEqual([]);
  },
);

test('Waybill that is not told of a limit is found to keep none', async () => {
  const { results } = await certifyEngine(1_800_000, 1, {}, { maxPerSecond: 5 });
  expect(idsOf(results.filter(({ verdict }) => verdict === 'failed'))).toEqual(['rate']);
});

test.each([1, 2, 3])('Waybill keeps the order of a user, and its limit meanwhile, seed %i', async (seed) => {
  const settings = { inOrder: true, limits: { perSecond: 10 } } as const;
  const { results } = await certifyEngine(1_800_000, seed, settings, { ordered: true, maxPerSecond: 10 });
  expect(idsOf(results.filter(({ verdict }) => verdict !== 'passed'))).toEqual(['side-by-side', 'not-held-up']);
});

test('Waybill that is not told of an order is found to keep none', async () => {
  const { results } = await certifyEngine(1_800_000, 1, {}, { ordered: true });
  expect(idsOf(results.filter(({ verdict }) => verdict === 'failed'))).toEqual(['order']);
});

test('within two minutes nothing fails, and what there was no time for does not pass', async () => {
  const { results } = await certifyEngine(120_000, 1);
  const verdicts = new Map(results.map(({ id, verdict }) => [id, verdict]));
  expect([...verdicts.values()]).not.toContain('failed');
  expect(verdicts.get('retry-500')).toBe('passed');
  expect([verdicts.get('timeout'), verdicts.get('tls-expired')]).toEqual(['skipped', 'skipped']);
  const skipped = results.filter(({ verdict }) => verdict === 'skipped');
  expect(skipped.filter(({ words }) => !words.startsWith('not judged: '))).toEqual([]);
});
