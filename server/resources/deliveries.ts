import { deliveryId } from '../model/delivery.ts';
import { inSlices, turnsOf } from '../fairness/turns.ts';
import { ApiError, notFound } from '../http/errors.ts';
import { workspaceOf } from '../model/resource-names.ts';
import type { Destination } from '../model/resources.ts';
import { type Moment, momentOf } from '../ports/clock.ts';
import type { LoggedDelivery } from '../model/logged-delivery.ts';
import type { DeliveryLog, LogQuery } from '../storage/delivery-log.ts';
import { MAX_REPLAYS, type ReplayAnswer } from '../storage/job-storage.ts';
import type { Caller } from './callers.ts';
import { deliveryResource, discretionOf, readFilter, storyResource } from './delivery-story.ts';
import type { ConfigHandlers, Deliveries, Env } from './env.ts';
import { found, requireVisible } from './kit.ts';
import { nameOf } from './names.ts';
import { LONG_ROWS, PAGE_LENGTH } from './pages.ts';
import { placeToken, readPlacePage } from './place-pages.ts';

export function deliveryHandlers(env: Env) {
  const read = async (destination: Destination, id: string) => {
    const { name } = destination;
    const story = await deliveriesOf(env).log.read({ destination: name, delivery: deliveryId(id) });
    if (story === undefined) throw notFound(`${name}/deliveries/${id}`);
    const discretion = discretionOf(destination, env.clock.now());
    return inSlices(turnsOf(env.turns, workspaceOf(name)), storyResource(name, shown(story), discretion));
  };
  const shown = <Logged extends LoggedDelivery>(logged: Logged): Logged => byTheWall(logged, momentOf(env.clock));
  return {
    async listDeliveries({ path, query, caller }) {
      const { log } = deliveriesOf(env);
      const name = nameOf('destinations', path);
      const { state, ...rest } = query;
      const filter = { ...readFilter(rest), ...(state === undefined ? {} : { states: [state] }) };
      const list = `${name}/deliveries ${JSON.stringify(filter)}`;
      const { after: before, limit } = readPlacePage(query, list);
      await requireDestination(env, caller, name);
      const { deliveries, next } = await gather(log, { destination: name, filter, limit, ...(before && { before }) });
      return {
        deliveries: deliveries.map((delivery) => deliveryResource(name, shown(delivery))),
        next_page_token: next === undefined ? '' : placeToken(list, { after: next, limit }),
      };
    },

    async getDelivery({ path, caller }) {
      return read(await requireDestination(env, caller, nameOf('destinations', path)), path.delivery);
    },

    async replayDelivery({ path, caller }) {
      const destination = await requireDestination(env, caller, nameOf('destinations', path));
      requireEnabled(destination);
      const { storage, wake } = deliveriesOf(env);
      const wanted = { destination: destination.name, delivery: deliveryId(path.delivery), at: momentOf(env.clock) };
      requireReplayed(await storage.replay(wanted), `${destination.name}/deliveries/${path.delivery}`);
      wake(destination.name);
      return read(destination, path.delivery);
    },
  } satisfies Partial<ConfigHandlers>;
}

function requireReplayed(answer: ReplayAnswer, name: string): void {
  switch (answer) {
    case 'replayed':
      return;
    case 'missing':
      throw notFound(name);
    case 'not ended':
      throw new ApiError('InvalidArgument', `${name} has not ended yet: only ended deliveries can be replayed`);
    case 'too often':
      throw new ApiError('InvalidArgument', `${name} was replayed ${MAX_REPLAYS} times: send the event again`);
    case 'superseded':
      throw new ApiError('InvalidArgument', `${name} cannot be replayed: ${SUPERSEDED}`);
  }
}

const SUPERSEDED =
  'a later value was told of this user since, or the destination was made anew or taken off the audience; ' +
  'sync the audience or computed trait instead';

/** People read the wall: what is due in so long by the one clock is so by the other. */
function byTheWall<Logged extends LoggedDelivery>(logged: Logged, { wall, steady }: Moment): Logged {
  return logged.dueAt === undefined ? logged : { ...logged, dueAt: wall + logged.dueAt - steady };
}

/** The most often that one request looks further for what its filter chooses; what is beyond is on the next page. */
const MAX_LOOKS = 25;

/** Fills a page, a bounded part of the log at a time, so that others have their turn between. Long ones are fewer. */
async function gather(
  log: DeliveryLog,
  query: LogQuery,
): Promise<{ deliveries: LoggedDelivery[]; next: string | undefined }> {
  const deliveries: LoggedDelivery[] = [];
  let next = query.before;
  let length = 0;
  for (let look = 0; look < MAX_LOOKS && deliveries.length < query.limit && length < PAGE_LENGTH;) {
    const before = next === undefined ? {} : { before: next };
    const limit = Math.min(LONG_ROWS, query.limit - deliveries.length);
    const page = await log.list({ ...query, ...before, limit });
    deliveries.push(...page.deliveries);
    next = page.next;
    if (next === undefined) break;
    // Where all are chosen, no further is looked than the page is long.
    if (page.deliveries.length < limit) look += 1;
    length += JSON.stringify(page.deliveries).length;
  }
  return { deliveries, next };
}

/** The log and the replays; a router without them does not implement what needs them (CFG-19). */
export function deliveriesOf({ deliveries }: Env): Deliveries {
  if (deliveries === undefined) throw new ApiError('Unimplemented', 'this router has no delivery log');
  return deliveries;
}

export async function requireDestination(env: Pick<Env, 'store'>, caller: Caller, name: string): Promise<Destination> {
  return found(await env.store.get('destinations', requireVisible(caller, name)), name);
}

/** What is sent to a disabled destination is cancelled at its next turn (D-30): replaying it would do nothing. */
export function requireEnabled({ name, enabled }: Destination): void {
  if (enabled) return;
  throw new ApiError('InvalidArgument', `${name} is disabled: enable it first`);
}
