import type { Limits } from '../../../server/delivery/pace.ts';
import type { DeliveryPolicy } from '../../../server/model/policy.ts';
import type { Random } from '../../../server/ports/random.ts';
import type { PostRequest } from '../../../server/ports/transport.ts';
import type { Observed } from '../../audit/observed.ts';
import { BEGINNING, play } from '../../fault-script/player.ts';
import { toScript } from '../../fault-script/script.ts';
import { eventIn, textOf } from '../../receiver/received.ts';
import { schemeOf } from '../../schemes/schemes.ts';
import { simulate, START } from '../../simulation/simulate.ts';
import { simulateBehavior } from '../../simulation/simulated-behavior.ts';
import type { Endpoint } from '../../simulation/simulated-transport.ts';
import type { World } from '../../simulation/world.ts';
import { SAMPLE_EVENTS } from './sample-events.ts';

export const SECRET = 's3cret';
export const STATIC = { 'X-Team': 'billing' };
const HOOK = 'https://hooks.test/hook';
const DESTINATION = 'workspaces/main/sources/s/destinations/webhooks';
const MINUTE = 60_000;

/** What a sender does otherwise than it ought to. */
export interface Twist {
  /** Another request in the place of the right one. */
  readonly request?: (request: PostRequest, attempt: number) => PostRequest;
  readonly method?: string;
  readonly policy?: Partial<DeliveryPolicy>;
  readonly limits?: Limits;
  readonly inOrder?: true;
  /** What the dice show. */
  readonly random?: Random;
  /** Another history in the place of what really came. */
  readonly history?: (observed: readonly Observed[]) => readonly Observed[];
}

/** An endpoint that every event finds at the beginning of its script. */
export interface Situation {
  readonly script: string;
  readonly events: number;
  readonly hours: number;
  /** Seven minutes without. */
  readonly everyMs?: number;
}

export function endOf({ hours }: Situation): number {
  return START + hours * 60 * MINUTE;
}

/** A request of the engine, and what the endpoint did about it. */
export type Exchange = Pick<Observed, 'at' | 'turn'> & { readonly request: PostRequest; readonly messageId: string };

/** What an endpoint records of the production engine, or of a twisted one, in virtual time. */
export async function observe(situation: Situation, twist: Twist = {}, seed = 1): Promise<readonly Observed[]> {
  const exchanges: Exchange[] = [];
  const { policy, random, history = (observed) => observed } = twist;
  await simulate(worldOf(situation, exchanges, twist), {
    seed,
    durationMs: endOf(situation) - START,
    ...(policy === undefined ? {} : { policy }),
    ...(random === undefined ? {} : { random }),
  });
  return history(exchanges.map((exchange, index) => recordOf(exchange, index, twist, exchanges)));
}

function worldOf(
  { script, events, everyMs = 7 * MINUTE }: Situation,
  exchanges: Exchange[],
  { limits, inOrder }: Twist,
): World {
  const target = {
    webhooks: [{ url: HOOK, headers: STATIC }],
    sharedSecret: SECRET,
    ...(limits && { limits }),
    ...(inOrder && { inOrder }),
  };
  return {
    targets: new Map([[DESTINATION, target]]),
    characters: new Map(),
    endpoints: new Map([[HOOK, recording(script, exchanges)]]),
    arrivals: Array.from({ length: events }, (_, index) => ({
      at: index * everyMs,
      destination: DESTINATION,
      messageId: `m${index + 1}`,
      event: SAMPLE_EVENTS[index % SAMPLE_EVENTS.length] ?? {},
    })),
  };
}

/** Plays a script to each event from its beginning, and notes what came. */
export function recording(text: string, exchanges: Exchange[]): Endpoint {
  const script = toScript(text);
  const heads = new Map<string, typeof BEGINNING>();
  return ({ at, request }) => {
    const messageId = messageIdOf(request);
    const { turn, playhead } = play(script, heads.get(messageId) ?? BEGINNING, {});
    heads.set(messageId, playhead);
    exchanges.push({ at, request, messageId, turn });
    return simulateBehavior(turn.behavior, { now: at, delayMs: turn.delayMs, deadlineMs: request.deadlineMs });
  };
}

/** The exchange as an endpoint records it, twisted. */
export function recordOf(
  { at, request, messageId, turn }: Exchange,
  index: number,
  { request: twisted, method = 'POST' }: Twist,
  all: readonly Exchange[],
): Observed {
  const earlier = all.slice(0, index).filter((each) => each.messageId === messageId);
  const { headers, body } = twisted?.(request, earlier.length + 1) ?? request;
  return {
    number: index + 1,
    at,
    method,
    path: '/hook',
    headers: Object.entries(headers),
    body,
    event: eventIn(body),
    turn,
    scheme: schemeOf(),
  };
}

function messageIdOf({ body }: PostRequest): string {
  return textOf({ event: eventIn(body) }, 'messageId') ?? '';
}
