import { expect, onTestFinished, test, vi } from 'vitest';
import { connect } from '../../../scripts/router/connect.ts';
import { createReceiver } from '../../../testbed/index.ts';
import { startWaybill } from '../../app.ts';
import { readSettings } from '../../settings/settings.ts';
import { UnderWay } from '../../under-way.ts';
import { newFolder } from '../support/delivery-world.ts';
import { RecordingLog } from '../support/ingestion-log.ts';

const TOKEN = 'under-way-test-token-01234';
const EVENTS = 60;

test('what is under way is what has begun and not ended, whatever was ended twice', () => {
  const underWay = new UnderWay<string>();
  const [first, second] = [underWay.begin('first'), underWay.begin('second')];
  underWay.end(first);
  expect([...underWay]).toEqual(['second']);
  const third = underWay.begin('third');
  // Its place is another's by now.
  underWay.end(first);
  expect([...underWay].toSorted()).toEqual(['second', 'third']);
  underWay.end(second);
  underWay.end(third);
  expect([...underWay]).toEqual([]);
});

test('places that were given back are given out again', () => {
  const underWay = new UnderWay<number>();
  for (let event = 0; event < 1_000; event += 1) underWay.end(underWay.begin(event));
  const { index } = underWay.begin(0);
  expect(index).toBe(0);
});

test('an event that passes, from its request to its webhook, is removed from no Map and no Set', async () => {
  await using receiver = await createReceiver();
  const flags = ['--port', '0', '--data-dir', newFolder(), '--token', TOKEN, '--allow-networks', '127.0.0.0/8'];
  const router = await startWaybill(readSettings(flags, {}), new RecordingLog());
  onTestFinished(() => router.stop());
  const writeKey = await connect({ url: router.url, token: TOKEN, slug: 'js', hook: receiver.url });
  const authorization = `Basic ${btoa(`${writeKey}:`)}`;
  const files = await removalsOf(async () => {
    for (let event = 1; event <= EVENTS; event += 1) {
      const body = JSON.stringify({ userId: 'ada', event: 'Signed Up', messageId: `m${event}` });
      const headers = { authorization, 'content-type': 'application/json' };
      const answer = await fetch(`${router.url}/v1/track`, { method: 'POST', headers, body });
      expect(answer.status).toBe(200);
    }
    await receiver.waitFor({ count: EVENTS });
  });
  expect(files).toEqual([]);
});

test('a Set through which events pass is found out', async () => {
  const passing = new Set<number>();
  const files = await removalsOf(() => {
    for (let event = 0; event < EVENTS; event += 1) passing.add(event).delete(event);
    return Promise.resolve();
  });
  expect(files).toEqual(['server/tests/rules/under-way.test.ts']);
});

/** The files of the router that remove something from a Map or a Set for at least every second event of the work. */
async function removalsOf(work: () => Promise<void>): Promise<string[]> {
  const counts: Record<string, number> = {};
  for (const kind of [Map.prototype, Set.prototype]) {
    const remove = kind.delete;
    vi.spyOn(kind, 'delete').mockImplementation(function (this: typeof kind, key: unknown) {
      const isRemoved = Reflect.apply(remove, this, [key]);
      const file = /server\/[\w/.-]+\.ts/.exec(new Error().stack?.split('\n').slice(2).join('\n') ?? '')?.[0];
      if (isRemoved && file !== undefined) counts[file] = (counts[file] ?? 0) + 1;
      return isRemoved;
    });
  }
  try {
    await work();
  } finally {
    vi.restoreAllMocks();
  }
  return Object.keys(counts).filter((file) => (counts[file] ?? 0) >= EVENTS / 2);
}
