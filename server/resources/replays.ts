import type { components } from '../../generated/config-api.d.ts';
import { EVENT_BYTES } from '../events/event-limits.ts';
import { takesMoreThan } from '../model/json-values.ts';
import type { LogFilter } from '../model/logged-delivery.ts';
import { MAX_KEPT_REPLAYS as mostKept, MAX_RUNNING_REPLAYS as mostRunning, type Replay } from '../model/replay.ts';
import { workspaceOf } from '../model/resource-names.ts';
import { ApiError } from '../http/errors.ts';
import type { ConfigHandlers, Env } from './env.ts';
import { pageToken, readLong, readPage, withinLength } from './pages.ts';
import { nameOf } from './names.ts';
import { found } from './kit.ts';
import { deliveriesOf, requireDestination, requireEnabled } from './deliveries.ts';
import { readFilter } from './delivery-story.ts';

type Resource = components['schemas']['Replay'];

/** Deliveries that are sent again in a second, if nobody says otherwise. */
const DEFAULT_PER_SECOND = 50;

/** What succeeded is sent again only if asked for by name. */
const WITHOUT_SUCCESS = ['failed', 'expired', 'cancelled'] as const;

export function replayHandlers(env: Env) {
  return {
    async listReplays({ path, query, caller }) {
      const { storage } = deliveriesOf(env);
      const name = nameOf('destinations', path);
      const list = `${name}/replays`;
      const page = readPage(query, list);
      await requireDestination(env, caller, name);
      const read = (last: Replay | undefined, limit: number) =>
        storage.listReplays({ destination: name, after: last?.id ?? page.after, limit });
      const rows = await readLong(page.limit + 1, read, lengthOf);
      const shown = withinLength(rows.slice(0, page.limit), lengthOf);
      const last = rows.length > shown.length ? shown.at(-1) : undefined;
      const token = last === undefined ? '' : pageToken(list, { after: last.id, limit: page.limit });
      return { replays: shown.map(replayResource), next_page_token: token };
    },

    async createReplay({ path, body, caller }) {
      const { storage } = deliveriesOf(env);
      const destination = await requireDestination(env, caller, nameOf('destinations', path));
      const { filter = {}, dry_run: dryRun = false, per_second: perSecond = DEFAULT_PER_SECOND } = body;
      if (!dryRun) requireEnabled(destination);
      const wanted = { destination: destination.name, filter: chosenBy(filter), dryRun, perSecond };
      const replay = await storage.createReplay({ ...wanted, createdAt: env.clock.now(), mostRunning, mostKept });
      if (replay === undefined) throw tooManyRunning(workspaceOf(destination.name));
      env.jobs.look('replays');
      return replayResource(replay);
    },

    async getReplay({ path, caller }) {
      const { name } = await requireDestination(env, caller, nameOf('destinations', path));
      const replay = await deliveriesOf(env).storage.getReplay({ destination: name, id: Number(path.replay) });
      return replayResource(found(replay, `${name}/replays/${path.replay}`));
    },

    async cancelReplay({ path, caller }) {
      const { name } = await requireDestination(env, caller, nameOf('destinations', path));
      const request = { destination: name, id: Number(path.replay), now: env.clock.now() };
      const replay = await deliveriesOf(env).storage.cancelReplay(request);
      return replayResource(found(replay, `${name}/replays/${path.replay}`));
    },
  } satisfies Partial<ConfigHandlers>;
}

function lengthOf(replay: Replay): number {
  return JSON.stringify(replay).length;
}

/** A text that is longer than any event would choose nothing, and be kept, listed and looked at with all others. */
function chosenBy({ state, ...rest }: Resource['filter']): LogFilter {
  for (const field of ['event', 'user_id'] as const) {
    if (takesMoreThan(EVENT_BYTES, rest[field] ?? ''))
      throw new ApiError('InvalidArgument', `filter.${field} takes more than ${EVENT_BYTES} bytes, as no event does`);
  }
  return { ...readFilter(rest), states: state === undefined ? WITHOUT_SUCCESS : [state] };
}

function tooManyRunning(workspace: string): ApiError {
  const what = `${workspace} already has the maximum number of running replays (${mostRunning})`;
  return new ApiError('InvalidArgument', `${what}; cancel one, or wait until one has finished`);
}

function replayResource(replay: Replay): Resource {
  const { destination, dryRun, matched, endedAt } = replay;
  return {
    name: `${destination}/replays/${replay.id}`,
    parent: destination,
    filter: filterResource(replay),
    dry_run: dryRun,
    per_second: replay.perSecond,
    state: replay.state,
    examined: replay.examined,
    matched,
    replayed: dryRun ? 0 : matched,
    create_time: new Date(replay.createdAt).toISOString(),
    ...(endedAt === undefined ? {} : { end_time: new Date(endedAt).toISOString() }),
  };
}

function filterResource({ filter: { states = [], type, event, userId, from, to } }: Replay): Resource['filter'] {
  const [state] = states.length === 1 ? states : [];
  return {
    ...(state === undefined || state === 'pending' || state === 'trying' ? {} : { state }),
    ...(type === undefined ? {} : { type }),
    ...(event === undefined ? {} : { event }),
    ...(userId === undefined ? {} : { user_id: userId }),
    ...(from === undefined ? {} : { from: new Date(from).toISOString() }),
    ...(to === undefined ? {} : { to: new Date(to).toISOString() }),
  };
}
