import type { RefreshedDirectory } from '../audiences/all-computations.ts';
import type { Directory } from '../directory/directory.ts';
import type { Pipeline } from '../events/pipeline.ts';
import { restAfter } from '../fairness/resting-queues.ts';
import type { Event } from '../model/message.ts';
import {
  effectsOf,
  finished,
  isErased,
  isOver,
  isUntouched,
  scopeOf,
  withSourcesFinished,
} from '../model/regulation.ts';
import { workspaceOf } from '../model/resource-names.ts';
import type { Regulation } from '../model/resources.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { ConfigStore } from '../storage/config-store.ts';
import type { ErasurePorts } from './erasure.ts';
import { beginning, ErasureGroup } from './erasure-group.ts';
import type { Job, JobKind, Next } from './runner.ts';

export interface RegulationPorts extends ErasurePorts {
  readonly config: ConfigStore;
  readonly directory: RefreshedDirectory & Pick<Directory, 'source'>;
  /** For the `delete` events, which are not to be dropped as events of suppressed users. */
  readonly pipeline: Pick<Pipeline, 'announce'>;
  readonly clock: Clock;
  readonly log: Log;
}

/** Deliveries of notices that a step stores, but for those of its last notice: of more, others would wait for the accept. */
const DELIVERIES_AT_ONCE = 500;
/** Each write of what is done takes as long as the regulation is large; so many sources are looked at in some milliseconds. */
const SOURCES_AT_ONCE = 1_000;

/** A step that removes profiles keeps the audiences of all workspaces waiting. Of most that is too short to be felt. */
const FELT_MS = 1_000;

function restOf(tookMs: number): number {
  return tookMs < FELT_MS ? 0 : restAfter(tookMs);
}

/** Those that are left, in the order in which they came. */
type Left = Map<string, Waiting>;

interface Waiting {
  /** Where it deletes users; undefined where it deletes none. */
  readonly scope: string | undefined;
  /** As far as this router knows: who does not know that they are erased erases them again, until the first source is finished. */
  readonly isErased: boolean;
}

/**
 * Regulations (D-12), one after another: workspaces take turns, and those of one are carried out in the order in which they came;
 * users of those that wait are erased together. The change feed tells which are left.
 */
export async function regulations(ports: RegulationPorts): Promise<JobKind> {
  const left: Left = new Map();
  await ports.config.watch(
    ({ changes }) => {
      for (const { name, row } of changes) {
        if (row === undefined || isOver(row.resource)) left.delete(name);
        else left.set(name, left.get(name) ?? { scope: erasedScope(row.resource), isErased: false });
      }
    },
    ['regulations'],
  );
  return {
    name: 'regulations',
    atOnce: 1,
    find: () => Promise.resolve([...left.keys()].map((name) => new RegulationJob(ports, name, left))),
  };
}

/** Marks the regulation, erases what is stored, tells each source, and ends it. */
class RegulationJob implements Job {
  readonly name: string;
  readonly workspace: string;
  readonly #ports: RegulationPorts;
  readonly #left: Left;
  #group: ErasureGroup | undefined;
  /** How many notices the source that is being told has been sent. */
  #told = 0;

  constructor(ports: RegulationPorts, name: string, left: Left) {
    this.#ports = ports;
    this.name = name;
    this.workspace = workspaceOf(name);
    this.#left = left;
  }

  async step(): Promise<Next> {
    const { config, clock, log } = this.#ports;
    const regulation = await config.get('regulations', this.name);
    if (regulation === undefined || isOver(regulation)) {
      // Of those that went with their workspace the feed does not tell.
      this.#left.delete(this.name);
      return 'over';
    }
    if (isUntouched(regulation)) {
      await beginning(this.#ports, regulation);
      return 0;
    }
    const scope = erasedScope(regulation);
    const isDone = isErased(regulation) || this.#left.get(this.name)?.isErased === true;
    if (scope !== undefined && !isDone) return this.#erase(scope);
    const left = regulation.source_status.filter(({ status }) => status !== 'FINISHED');
    if (left.length > 0) return this.#tell(regulation, left);
    await config.update('regulations', this.name, (one) => finished(one, new Date(clock.now()).toISOString()));
    log.info({ regulation: this.name }, 'regulation carried out');
    return 'over';
  }

  async #erase(scope: string): Promise<Next> {
    this.#group ??= new ErasureGroup(this.#ports, scope, this.#candidates(scope));
    const { clock } = this.#ports;
    const begun = clock.steady();
    if (await this.#group.step()) return restOf(this.#group.tookMs ?? clock.steady() - begun);
    for (const name of this.#group.names) this.#left.set(name, { scope, isErased: true });
    return 0;
  }

  /** This one first. Each is looked at in a step of its own: however many wait elsewhere, they are none of them. */
  #candidates(scope: string): string[] {
    const waiting = [...this.#left].flatMap(([name, one]) => (one.scope === scope ? [name] : []));
    return [...new Set([this.name, ...waiting])];
  }

  /** Whoever is told again after a restart knows the notices by their ids. */
  async #tell(regulation: Regulation, left: Regulation['source_status']): Promise<Next> {
    const { config, directory, pipeline } = this.#ports;
    const notices = effectsOf(regulation).notifies ? noticesOf(regulation) : [];
    const done = new Set<string>();
    let room = DELIVERIES_AT_ONCE;
    for (const { source_name: source } of left.slice(0, SOURCES_AT_ONCE)) {
      const destinations = directory.source(source)?.routes.length ?? 0;
      // A source without an enabled webhooks destination is told nothing (HOOK-16).
      if (notices.length > 0 && destinations > 0) {
        if (room <= 0) break;
        const events = notices.slice(this.#told, this.#told + Math.max(1, Math.floor(room / destinations)));
        await pipeline.announce({ source, events });
        [this.#told, room] = [this.#told + events.length, room - events.length * destinations];
        if (this.#told < notices.length) break;
      }
      done.add(source);
      this.#told = 0;
    }
    if (done.size > 0) await config.update('regulations', this.name, (one) => withSourcesFinished(one, done));
    return 0;
  }
}

function erasedScope(regulation: Regulation): string | undefined {
  return effectsOf(regulation).deletes ? scopeOf(regulation) : undefined;
}

/**
 * The `delete` events of a regulation: one for each user, since an event has room for one id. A source that got them
 * before knows their messageIds again, so a start that repeats them tells nobody twice (D-43).
 */
function noticesOf({ regulate_id: id, user_ids: users, create_time }: Regulation): Event[] {
  // Regulations of earlier versions were stored with whole seconds; bodies have milliseconds (HOOK-13).
  const time = new Date(create_time).toISOString();
  return users.map((userId, index) => ({
    type: 'delete',
    messageId: `delete-${id}-${index}`,
    userId,
    context: {},
    timestamp: time,
    receivedAt: time,
  }));
}
