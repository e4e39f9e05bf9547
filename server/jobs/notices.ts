import { failed, recovered, told, withHealth, worked } from '../notices/health.ts';
import { type NoticeName, noticeEvent, type Said } from '../notices/notice.ts';
import { Calm } from '../notices/calm.ts';
import {
  expiringSecret,
  givenUp,
  type HourRange,
  hoursToCount,
  parkedOrRecovered,
} from '../notices/destination-notices.ts';
import type { Directory } from '../directory/directory.ts';
import type { Noticed } from '../directory/noticed.ts';
import type { Pipeline } from '../events/pipeline.ts';
import type { Audience, Destination, Health } from '../model/resources.ts';
import type { Sync } from '../model/sync.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { ConfigStore } from '../storage/config-store.ts';
import type { DeliveryLog } from '../storage/delivery-log.ts';
import type { TellingStorage } from '../storage/telling-storage.ts';
import { traceOf } from '../thrown.ts';
import { lastOfEach } from './due-runs.ts';
import type { Job, JobKind, Next } from './runner.ts';

const BETWEEN_LOOKS_MS = 10_000;
/** So much that asks the storage is done in one step, and then others have their turn. */
const ASKS_PER_STEP = 100;
const BETWEEN_STEPS_MS = 10;
/** Of each audience: one may run, and behind it is the last that is over. */
const LAST_SYNCS = 2;

export interface NoticePorts {
  readonly config: Pick<ConfigStore, 'update'>;
  readonly directory: Pick<Directory, 'workspaces' | 'noticed'>;
  /** They pass no stage: no plan and no suppression is about them. */
  readonly pipeline: Pick<Pipeline, 'announce'>;
  readonly counts: DeliveryLog['counts'];
  readonly tellings: Pick<TellingStorage, 'listSyncs'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly counted: (notice: NoticeName) => void;
}

/**
 * Tells workspaces what they asked to be told (D-82). One router at a time does it. What it tells by is in storage: how a
 * destination fares is there before it is told, and stays untold until its notice is accepted. Whoever repeats a notice gives it the
 * same messageId, so that it is accepted once (D-43).
 */
export function notices(ports: NoticePorts): JobKind {
  return { name: 'notices', atOnce: 1, find: () => Promise.resolve([new NoticeJob(ports)]) };
}

/** Yields after each that it asked the storage for. */
type Look = AsyncGenerator<'failed' | undefined>;

class NoticeJob implements Job {
  readonly name = 'notices';
  readonly #ports: NoticePorts;
  readonly #calm: Calm;
  /** A look at everything that is under way. */
  #look: Look | undefined;
  /** Up to there it was told what was given up … */
  #countedUpTo: number | undefined;
  /** … but of workspaces that could not be told in the last look. */
  #behind: ReadonlyMap<string, number | undefined> = new Map();
  /** The secrets of which it was told that they expire. */
  #expiring: ReadonlySet<string> = new Set();

  constructor(ports: NoticePorts) {
    this.#ports = ports;
    this.#calm = new Calm(ports.clock);
  }

  async step(): Promise<Next> {
    const look = this.#look ?? this.#lookAtAll();
    this.#look = undefined;
    for (let asks = 0; asks < ASKS_PER_STEP; asks += 1) {
      const { done, value } = await look.next();
      if (done === true) return BETWEEN_LOOKS_MS;
      // A storage that is away lets each ask wait.
      if (value === 'failed') break;
    }
    this.#look = look;
    return BETWEEN_STEPS_MS;
  }

  /** A workspace that cannot be told now keeps none behind it from being told. */
  async *#lookAtAll(): Look {
    const { directory, clock, log } = this.#ports;
    const now = clock.now();
    let isTold = false;
    const expiring = new Set<string>();
    const behind = new Map<string, number | undefined>();
    for (const workspace of directory.workspaces()) {
      const noticed = directory.noticed(workspace);
      if (noticed === undefined) continue;
      const countedUpTo = this.#behind.has(workspace) ? this.#behind.get(workspace) : this.#countedUpTo;
      try {
        yield* this.#lookAt(noticed, expiring, hoursToCount(countedUpTo, now));
      } catch (error) {
        // Of a storage that is away, one tells for all.
        if (!isTold && !this.#behind.has(workspace)) {
          log.error({ workspace, reason: traceOf(error) }, 'notices could not be announced, retrying');
          isTold = true;
        }
        behind.set(workspace, countedUpTo);
        yield 'failed';
      }
    }
    this.#expiring = expiring;
    this.#countedUpTo = hoursToCount(this.#countedUpTo, now)?.to ?? this.#countedUpTo;
    this.#behind = behind;
    this.#calm.end();
  }

  async *#lookAt(noticed: Noticed, expiring: Set<string>, hours: HourRange | undefined): Look {
    for (const name of noticed.attended()) {
      const one = noticed.destination(name);
      if (one === undefined) continue;
      yield* this.#lookAtHealth(one, noticed);
      yield* this.#lookAtSecret(one, noticed, expiring);
    }
    if (hours !== undefined) yield* this.#lookAtHours(noticed, hours);
    if (noticed.audiences.length > 0) yield* this.#lookAtAudiences(noticed);
  }

  async *#lookAtHealth(one: Destination, noticed: Noticed): Look {
    const { health } = one;
    if (health?.is_untold === true) {
      await this.#say(parkedOrRecovered(one, health), noticed);
      await this.#keep('destinations', one, (now) => told(now, health));
      yield undefined;
    } else if (this.#calm.isOver(one)) {
      await this.#keep('destinations', one, (now) => recovered(now, health));
      yield undefined;
    }
  }

  async *#lookAtSecret(one: Destination, noticed: Noticed, expiring: Set<string>): Look {
    const expiry = expiringSecret(one, this.#ports.clock.now());
    if (expiry === undefined) return;
    const key = JSON.stringify([one.name, expiry.of]);
    if (!this.#expiring.has(key)) {
      await this.#say(expiry, noticed);
      yield undefined;
    }
    expiring.add(key);
  }

  /** Of hours before a source of notices was made, it is not told. */
  async *#lookAtHours(noticed: Noticed, hours: HourRange): Look {
    for (const name of noticed.destinations()) {
      const counts = await this.#ports.counts({ destination: name, ...hours });
      yield undefined;
      const one = counts.length > 0 ? noticed.destination(name) : undefined;
      for (const { to: end, said } of one === undefined ? [] : givenUp(one, counts)) {
        await this.#say(said, { to: noticed.to.filter(({ create_time }) => Date.parse(create_time) < end) });
        yield undefined;
      }
    }
  }

  async *#lookAtAudiences(noticed: Noticed): Look {
    const computations = noticed.audiences.map(({ name }) => name);
    const syncs = await this.#ports.tellings.listSyncs({ computations, limit: LAST_SYNCS });
    const ended = lastOfEach(syncs.filter(({ state }) => state !== 'RUNNING'));
    yield undefined;
    for (const audience of noticed.audiences) yield* this.#lookAtSync(audience, ended.get(audience.name), noticed);
  }

  async *#lookAtSync(audience: Audience, ended: Sync | undefined, noticed: Noticed): Look {
    const { state, reason = '' } = ended ?? {};
    const { name: about, display_name: displayName, health } = audience;
    const { clock } = this.#ports;
    const at = new Date(clock.now()).toISOString();
    if (health?.is_untold === true) {
      const { since, number } = health;
      const properties = { audience: about, displayName, since, reason };
      if (health.state === 'failing')
        await this.#say({ event: 'audience.failed', properties, about, of: `${number} ${since}` }, noticed);
      await this.#keep('audiences', audience, (now) => told(now, health));
    } else if (this.#calm.isOver(audience)) await this.#keep('audiences', audience, (now) => recovered(now, health));
    else if (state === 'FAILED') await this.#keep('audiences', audience, (now) => failed(now, at));
    else if (state === 'DONE') await this.#keep('audiences', audience, (now) => worked(now, at));
    yield undefined;
  }

  /** Rejects where it could not be accepted now: the next look repeats it. */
  async #say(said: Said, { to }: Pick<Noticed, 'to'>): Promise<void> {
    const { pipeline, clock, counted } = this.#ports;
    const at = new Date(clock.now()).toISOString();
    for (const { name: source } of to) {
      const { accepted } = await pipeline.announce({ source, events: [noticeEvent(said, source, at)] });
      if (accepted > 0) counted(said.event);
    }
  }

  async #keep(
    kind: 'destinations' | 'audiences',
    { name, health: known }: Pick<Destination, 'name' | 'health'>,
    change: (health: Health | undefined) => Health | undefined,
  ): Promise<void> {
    if (change(known) === known) return;
    await this.#ports.config.update(kind, name, (one) => withHealth(one, change(one.health)));
  }
}
