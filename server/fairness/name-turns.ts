import { DEFAULT_POLICY } from '../model/policy.ts';
import { RoundRobin } from './round-robin.ts';
import { errorWith } from '../thrown.ts';

/** A look-up that takes longer waits for a name server that is silent. */
const QUICK_MS = 1_000;
/** Whoever waited for longer is gone: no attempt lasts longer. */
const PATIENCE_MS = DEFAULT_POLICY.deadlineMs;
/** Of so many names it is known how long their last look-up took. */
const NAMES = 10_000;

/** What the last look-up of a name was. */
type Standing = 'quick' | 'unknown' | 'slow';

/** A name that was asked for, and has no answer yet. */
interface Asked<Answer> {
  readonly name: string;
  readonly standing: Standing;
  readonly since: number;
  readonly answer: PromiseWithResolvers<Answer>;
  /** Workspaces in whose line it stands. */
  readonly askers: Set<string>;
  isBegun: boolean;
}

interface NameTurnsOptions<Answer> {
  readonly lookUp: (name: string) => Promise<Answer>;
  /** So many look-ups are under way at once. */
  readonly places: number;
  /** In milliseconds. */
  readonly now?: () => number;
}

/**
 * Which name is looked up next, where few can be at once and each holds its place for as long as its name server is silent. Names
 * that were quick the last time come first, and have half of the places to themselves, and all but one as long as they are many; those
 * that nobody knows come before those that were slow; among them, workspaces take turns. So whoever has names that no server answers
 * for, or many of them, does not keep others from being looked up. All that ask for a name at the same time share one look-up.
 */
export class NameTurns<Answer> {
  readonly #lookUp: (name: string) => Promise<Answer>;
  readonly #places: number;
  readonly #now: () => number;
  readonly #asked = new Map<string, Asked<Answer>>();
  readonly #standings = new Map<string, Standing>();
  readonly #waiting = lines<Asked<Answer>>();
  #underWay = 0;
  /** Of these, names that were not quick. */
  #strangers = 0;

  constructor({ lookUp, places, now = () => performance.now() }: NameTurnsOptions<Answer>) {
    [this.#lookUp, this.#places, this.#now] = [lookUp, places, now];
  }

  /** Rejects with EAI_AGAIN where it waited for too long. */
  ask(name: string, workspace: string): Promise<Answer> {
    const asked = this.#asked.get(name) ?? this.#newlyAsked(name);
    if (!asked.isBegun && !asked.askers.has(workspace)) {
      asked.askers.add(workspace);
      this.#waiting[asked.standing].add(workspace, asked);
      this.#beginNext();
    }
    return asked.answer.promise;
  }

  #newlyAsked(name: string): Asked<Answer> {
    const standing = this.#standings.get(name) ?? 'unknown';
    const answer = Promise.withResolvers<Answer>();
    const asked = { name, standing, since: this.#now(), answer, askers: new Set<string>(), isBegun: false };
    this.#asked.set(name, asked);
    return asked;
  }

  #beginNext(): void {
    this.#sendAway();
    while (this.#underWay < this.#places) {
      const next = this.#next();
      if (next === undefined) return;
      // In the line of another workspace it had its turn already.
      if (!next.isBegun) void this.#begin(next);
    }
  }

  /** However many quick names there are, one that is not has a place. */
  #next(): Asked<Answer> | undefined {
    const { quick, unknown, slow } = this.#waiting;
    const stranger = (): Asked<Answer> | undefined => unknown.take() ?? slow.take();
    const hasPlace = this.#strangers < Math.max(1, Math.floor(this.#places / 2));
    return (this.#strangers === 0 ? stranger() : undefined) ?? quick.take() ?? (hasPlace ? stranger() : undefined);
  }

  async #begin(asked: Asked<Answer>): Promise<void> {
    const { name, standing, answer } = asked;
    const stranger = standing === 'quick' ? 0 : 1;
    asked.isBegun = true;
    this.#underWay += 1;
    this.#strangers += stranger;
    const begunAt = this.#now();
    try {
      answer.resolve(await this.#lookUp(name));
    } catch (error) {
      answer.reject(error);
    } finally {
      this.#asked.delete(name);
      this.#note(name, this.#now() - begunAt > QUICK_MS ? 'slow' : 'quick');
      this.#underWay -= 1;
      this.#strangers -= stranger;
      this.#beginNext();
    }
  }

  #sendAway(): void {
    const now = this.#now();
    for (const line of Object.values(this.#waiting)) {
      for (const asked of line.takeWhile(({ since, isBegun }) => isBegun || now - since > PATIENCE_MS)) {
        if (asked.isBegun) continue;
        asked.isBegun = true;
        this.#asked.delete(asked.name);
        asked.answer.reject(tooLate(asked.name));
      }
    }
  }

  #note(name: string, standing: Standing): void {
    this.#standings.delete(name);
    this.#standings.set(name, standing);
    const [oldest] = this.#standings.keys();
    if (this.#standings.size > NAMES && oldest !== undefined) this.#standings.delete(oldest);
  }
}

function lines<Item>(): Readonly<Record<Standing, RoundRobin<Item>>> {
  return { quick: new RoundRobin(), unknown: new RoundRobin(), slow: new RoundRobin() };
}

function tooLate(name: string): Error {
  const words = `${name} was not looked up for ${PATIENCE_MS / 1_000} s, as name servers of other names are silent; UV_THREADPOOL_SIZE makes more look-ups at once`;
  return errorWith('EAI_AGAIN', words);
}
