import { setTimeout as wait } from 'node:timers/promises';
import { type ConfigClient, createConfigClient, type NewReplay } from '../../client/config/index.ts';
import { connect } from '../router/connect.ts';
import type { Arrivals } from './arrivals.ts';
import type { DatabasePair } from './database-pair.ts';

export interface ChoreParts {
  readonly urls: () => readonly string[];
  readonly token: string;
  readonly hook: string;
  /** At that hook. */
  readonly arrivals: Arrivals;
  readonly database: DatabasePair;
}

/** What became of replays and deletions that were asked for while things broke. */
export interface ChoreVerdict {
  readonly asked: number;
  /** Names of those that did not end. */
  readonly unended: readonly string[];
  /** Rows of users that were deleted. */
  readonly left: number;
  /** Events that a last replay, when all was whole again, did not send once more. */
  readonly missed: readonly string[];
}

const SLUG = 'chores';
const SOURCE = `workspaces/main/sources/${SLUG}`;
const DESTINATION = `${SOURCE}/destinations/webhooks`;
const ROUND_MS = 3_000;
/** Longer than any fault lasts. */
const MAX_TRIES = 400;
const LOOK_MS = 250;
/** A token may not ask more often. */
const ASK_MS = 2_000;
const ANSWER_MS = 20_000;

/** All that there is. */
const REPLAY = { filter: { state: 'delivered' }, per_second: 500 } satisfies NewReplay;

const LEFT = `SELECT (SELECT count(*) FROM waybill.messages WHERE event LIKE '%"gone-%')
  + (SELECT count(*) FROM (SELECT user_id FROM waybill.queue UNION ALL SELECT user_id FROM waybill.tries
       UNION ALL SELECT user_id FROM waybill.log) stored WHERE user_id LIKE 'gone-%') AS found`;

/** Asks for a replay and for the deletion of a user every few seconds, of whichever router answers, until it is stopped. */
export class Chores {
  readonly #parts: ChoreParts;
  readonly #writeKey: string;
  readonly #over = new AbortController();
  readonly #working: Promise<void>;
  #turn = 0;
  #rounds = 0;

  private constructor(parts: ChoreParts, writeKey: string) {
    [this.#parts, this.#writeKey] = [parts, writeKey];
    this.#working = this.#work();
    // Whoever stops them hears of it.
    this.#working.catch(() => undefined);
  }

  static async start(parts: ChoreParts): Promise<Chores> {
    const { urls, token, hook } = parts;
    return new Chores(parts, await connect({ url: urls()[0] ?? '', token, slug: SLUG, hook }));
  }

  /** Resolves once nothing more is asked for. */
  async stop(): Promise<void> {
    this.#over.abort();
    await this.#working;
  }

  /** Waits for what was asked for, for at most so long; asked once nothing else waits any more. */
  async verdict(mostMs: number): Promise<ChoreVerdict> {
    const end = Date.now() + mostMs;
    let unended = await this.#unended();
    for (; unended.length > 0 && Date.now() < end; unended = await this.#unended()) await wait(ASK_MS);
    const { database } = this.#parts;
    const [row] = await database.rows<{ readonly found: string }>(LEFT);
    const missed = unended.length === 0 ? await this.#missed(end) : [];
    return { asked: 2 * this.#rounds, unended, left: Number(row?.found), missed };
  }

  async #work(): Promise<void> {
    while (!this.#over.signal.aborted) {
      const round = this.#rounds;
      await this.#again(() => this.#send(round));
      await this.#again((client) => client.replays.create(DESTINATION, REPLAY));
      await this.#again((client) =>
        client.regulations.create('workspaces/main', {
          regulation_type: 'Delete_Internal',
          attributes: { name: 'userId', values: [`gone-${round}`] },
        }),
      );
      this.#rounds += 1;
      await wait(ROUND_MS, undefined, { signal: this.#over.signal }).catch(() => undefined);
    }
  }

  async #send(round: number): Promise<void> {
    const batch = ['kept', 'gone'].map((fate) => {
      return { type: 'track', event: 'Chore', userId: `${fate}-${round}`, messageId: `${fate}-${round}` };
    });
    const body = JSON.stringify({ writeKey: this.#writeKey, batch });
    const signal = AbortSignal.timeout(ANSWER_MS);
    const { status } = await fetch(`${this.#nextUrl()}/v1/batch`, { method: 'POST', body, signal });
    if (status !== 200) throw new Error(`a batch was answered ${status}`);
  }

  /** Of one router after the other, until one has done it. */
  async #again<T>(work: (client: ConfigClient) => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await work(createConfigClient({ baseUrl: this.#nextUrl(), token: this.#parts.token }));
      } catch (error) {
        if (tries === MAX_TRIES) throw error;
        await wait(LOOK_MS);
      }
    }
  }

  #nextUrl(): string {
    const urls = this.#parts.urls();
    this.#turn += 1;
    return urls[this.#turn % urls.length] ?? 'http://127.0.0.1:9';
  }

  async #unended(): Promise<readonly string[]> {
    const replays = await this.#again((client) => Array.fromAsync(client.replays.list(DESTINATION)));
    const deletions = await this.#again((client) => Array.fromAsync(client.regulations.list('workspaces/main')));
    return [
      ...replays.filter(({ state }) => state === 'running'),
      ...deletions.filter(({ overall_status: status }) => status !== 'FINISHED'),
    ].map(({ name }) => name);
  }

  /** Each event comes once more, and only once: a job that two routers work on would send it twice. */
  async #missed(end: number): Promise<readonly string[]> {
    const { arrivals } = this.#parts;
    const kept = Array.from({ length: this.#rounds }, (_, round) => `kept-${round}`);
    const timesOf = (id: string): number => arrivals.get(id)?.length ?? 0;
    const before = new Map(kept.map((id) => [id, timesOf(id)]));
    await this.#again((client) => client.replays.create(DESTINATION, REPLAY));
    const missed = (): readonly string[] => notOnceMore(before, timesOf);
    while ((missed().length > 0 || (await this.#unended()).length > 0) && Date.now() < end) await wait(ASK_MS);
    return missed();
  }
}

/** Those that did not come once more than before. */
export function notOnceMore(before: ReadonlyMap<string, number>, timesOf: (id: string) => number): readonly string[] {
  return [...before].filter(([id, times]) => timesOf(id) !== times + 1).map(([id]) => id);
}
