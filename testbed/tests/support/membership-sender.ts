import { startAudienceWorld, type Stores, type WorldOptions } from '../../../server/tests/support/audience-world.ts';
import type { TellRequest } from '../../../server/storage/telling-storage.ts';
import type { Observed } from '../../audit/observed.ts';
import { deliveryMatchers } from '../../vitest/index.ts';
import { type Exchange, recording, recordOf } from './sender.ts';

const HOUR = 3_600_000;

/** What a sender of memberships does otherwise than it ought to. */
export interface MembershipFlaw {
  /** In its stores. */
  readonly spoil?: NonNullable<WorldOptions['spoil']>;
  /** Another body in the place of the right one. */
  readonly body?: (body: Body) => object;
  /** Another history in the place of what really came. */
  readonly history?: (observed: readonly Observed[]) => readonly Observed[];
}

export interface Body {
  readonly userId: string;
  readonly traits: Readonly<Record<string, unknown>>;
}

/** What has to have been told last: who stayed, who left, and the value of a trait that changed. */
const WISHES = [
  { audience: 'buyers', user: 'stays' },
  { audience: 'buyers', user: 'leaves', value: false },
  { audience: 'orders', user: 'stays', value: 2 },
] as const;

/** What the matcher finds wrong with a sender that had these exchanges, but for its flaw. */
export function membershipComplaints(
  exchanges: readonly Exchange[],
  { body, history = (all) => all }: Pick<MembershipFlaw, 'body' | 'history'> = {},
): readonly string[] {
  const sent = history(exchanges.map((exchange, index) => recordOf(exchange, index, twistOf(body), exchanges)));
  return WISHES.flatMap((wish) => {
    const { pass, message } = deliveryMatchers.toHaveBeenToldMembership(sent, wish);
    return pass ? [] : [message()];
  });
}

/** Seventeen hours of syncs, to an endpoint that fails twice before it takes a call. */
export async function syncsOf({ spoil }: Pick<MembershipFlaw, 'spoil'> = {}): Promise<readonly Exchange[]> {
  const exchanges: Exchange[] = [];
  const endpoint = recording('503,silence:request,200', exchanges);
  const world = await startAudienceWorld({ endpoint, ...(spoil && { spoil }) });
  const where = "event = 'Bought'";
  await world.audience('buyers', { events: { where, window: { within: '12h' } } });
  await world.trait('orders', { counter: { where } });
  for (const userId of ['stays', 'leaves']) await world.send({ userId });
  await world.advance(6 * HOUR);
  await world.send({ userId: 'stays' });
  // The first events leave the window within an hour of their time, and a sync is never three hours away.
  await world.advance(11 * HOUR);
  await world.stop();
  return exchanges;
}

function twistOf(change: MembershipFlaw['body']): Parameters<typeof recordOf>[2] {
  if (change === undefined) return {};
  return {
    request: (request) => {
      const own: Partial<Body> = JSON.parse(Buffer.from(request.body).toString('utf8'));
      const { userId, traits } = own;
      // Events go the same way, and are as they are.
      if (userId === undefined || traits === undefined) return request;
      return { ...request, body: Buffer.from(JSON.stringify({ ...own, ...change({ userId, traits }) })) };
    },
  };
}

/** Stores that are asked to tell something else. */
export function telling(change: (request: TellRequest) => Pick<TellRequest, 'tellings'>): MembershipFlaw {
  const spoil = ({ tellings, profiles }: Stores): Stores => ({
    profiles,
    tellings: { ...tellings, tell: (request) => tellings.tell({ ...request, ...change(request) }) },
  });
  return { spoil };
}
