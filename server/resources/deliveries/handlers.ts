import { type Moment, momentOf } from '../../ports/clock.ts';
import { ApiError } from '../../http/errors.ts';
import type { LogPosition, LoggedDelivery } from '../../model/logged-delivery.ts';
import type { DeliveryLog, LogQuery } from '../../storage/delivery-log.ts';
import type { ConfigHandlers, Env } from '../env.ts';
import { destinationName } from '../resource-name.ts';
import { notFound } from '../store-answers.ts';
import { logPageToken, readLogPage } from './cursor.ts';
import { deliveriesOf, requireDestination, requireEnabled } from './destination.ts';
import { discretionOf } from './redact.ts';
import { deliveryResource, readFilter, storyResource } from './resource.ts';

type DeliveryHandlers = Pick<ConfigHandlers, 'listDeliveries' | 'getDelivery' | 'replayDelivery'>;

export function deliveryHandlers(env: Env): DeliveryHandlers {
  const read = async (destination: Awaited<ReturnType<typeof requireDestination>>, id: string) => {
    const { name } = destination;
    const story = await deliveriesOf(env).log.read({ destination: name, delivery: Number(id) });
    if (story === undefined) throw notFound(`${name}/deliveries/${id}`);
    return storyResource(name, shown(story), discretionOf(destination));
  };
  const shown = <Logged extends LoggedDelivery>(logged: Logged): Logged => byTheWall(logged, momentOf(env.clock));
  return {
    async listDeliveries({ path, query, caller }) {
      const { log } = deliveriesOf(env);
      const name = destinationName(path);
      const { state, ...rest } = query;
      const filter = { ...readFilter(rest), ...(state === undefined ? {} : { states: [state] }) };
      const list = `${name}/deliveries ${JSON.stringify(filter)}`;
      const page = readLogPage(query, list);
      await requireDestination(env, caller, name);
      const { deliveries, next } = await gather(log, { destination: name, filter, ...page });
      return {
        deliveries: deliveries.map((delivery) => deliveryResource(name, shown(delivery))),
        next_page_token: next === undefined ? '' : logPageToken(list, next, page.limit),
      };
    },

    async getDelivery({ path, caller }) {
      return read(await requireDestination(env, caller, destinationName(path)), path.delivery);
    },

    async replayDelivery({ path, caller }) {
      const destination = await requireDestination(env, caller, destinationName(path));
      requireEnabled(destination);
      const answer = await deliveriesOf(env).replays.one(destination.name, Number(path.delivery));
      const name = `${destination.name}/deliveries/${path.delivery}`;
      if (answer === 'missing') throw notFound(name);
      if (answer === 'replayed') return read(destination, path.delivery);
      throw new ApiError('InvalidArgument', `${name} has not ended yet: only what has ended can be replayed`);
    },
  };
}

/** People read the wall: what is due in so long by the one clock is so by the other. */
function byTheWall<Logged extends LoggedDelivery>(logged: Logged, { wall, steady }: Moment): Logged {
  return logged.dueAt === undefined ? logged : { ...logged, dueAt: wall + logged.dueAt - steady };
}

/** So often one request looks further for what its filter chooses; what is beyond is on the next page. */
const MOST_LOOKS = 25;

/** Fills a page, a bounded part of the log at a time, so that others have their turn between. */
async function gather(
  log: DeliveryLog,
  query: LogQuery,
): Promise<{ deliveries: LoggedDelivery[]; next: LogPosition | undefined }> {
  const deliveries: LoggedDelivery[] = [];
  let next = query.before;
  for (let look = 0; look < MOST_LOOKS && deliveries.length < query.limit; look += 1) {
    const before = next === undefined ? {} : { before: next };
    const page = await log.list({ ...query, ...before, limit: query.limit - deliveries.length });
    deliveries.push(...page.deliveries);
    next = page.next;
    if (next === undefined) break;
  }
  return { deliveries, next };
}
