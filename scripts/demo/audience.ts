import { setTimeout as wait } from 'node:timers/promises';
import { Analytics } from '@segment/analytics-node';
import { createConfigClient } from '../../client/config/index.ts';
import type { Received, Receiver } from '../../testbed/index.ts';
import { tell } from './printout.ts';

export interface Stage {
  readonly url: string;
  readonly token: string;
  readonly writeKey: string;
  /** Full name of the destination that is told, and who listens there. */
  readonly destination: string;
  readonly receiver: Receiver;
}

const USERS = ['ada@example.com', 'ben@example.com', 'cleo@example.com'];
const TRIES = 30;
const BETWEEN_MS = 500;

/** An audience is told to a webhook: three users buy and enter, then one returns what was bought and leaves. Answers what was not heard. */
export async function showAudience({ url, token, writeKey, destination, receiver }: Stage): Promise<string[]> {
  const { audiences } = createConfigClient({ baseUrl: url, token });
  const analytics = new Analytics({ host: url, writeKey, flushInterval: 100 });
  const track = async (userId: string, event: string): Promise<void> => {
    analytics.track({ userId, event });
    await analytics.flush({ timeout: 10_000 });
  };
  const bought = { events: { where: "event = 'Order Completed'", window: { within: '30d' } } };
  const returned = { events: { where: "event = 'Order Returned'", window: { within: '30d' } } };
  const definition = { all: [bought, { not: returned }] };
  const { name } = await audiences.create('workspaces/main', {
    display_name: 'Buyers',
    definition,
    destinations: [destination],
  });
  for (const user of USERS) await track(user, 'Order Completed');
  const sync = (): Promise<unknown> => audiences.sync(name);
  const entered = await heard(
    sync,
    receiver,
    USERS.map((user) => `${user} true`),
  );
  tell('ben returns the order; at the next sync the webhook hears that ben left, and of nobody else:');
  await track('ben@example.com', 'Order Returned');
  const left = await heard(sync, receiver, ['ben@example.com false']);
  await analytics.closeAndFlush({ timeout: 10_000 });
  return [...entered, ...left].map((missing) => `the webhook was not told: ${missing}`);
}

/** Syncs until a receiver was told all of this: a sync that ran already began before the last call. Answers what it was not told. */
async function heard(sync: () => Promise<unknown>, receiver: Receiver, wanted: readonly string[]): Promise<string[]> {
  const missing = (): string[] => wanted.filter((one) => !receiver.received.some((request) => isAbout(request, one)));
  for (let tries = 0; tries < TRIES && missing().length > 0; tries += 1) {
    await sync();
    await wait(BETWEEN_MS);
  }
  return missing();
}

/** `ada@example.com true`. */
function isAbout({ event }: Received, wanted: string): boolean {
  const { traits, userId } = event ?? {};
  const isObject = typeof traits === 'object' && traits !== null;
  return isObject && 'buyers' in traits && `${String(userId)} ${String(traits.buyers)}` === wanted;
}
