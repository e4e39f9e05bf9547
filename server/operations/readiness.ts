import type { Membership } from '../delivery/membership.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { Storage, WriteCheck } from '../storage/storage.ts';
import { messageOf } from '../thrown.ts';

/** However often somebody asks, a check writes at most this often, unless it could write and another write fails … */
const BETWEEN_TRIES_MS = 1_000;
/** … and an asker waits for it at most this long: a stuck disk answers never. */
const LIMIT_MS = 2_000;

const WRITABLE = 'ok';

/** What each check found, by its name: `ok`, or why not, in words. */
export type Findings = Readonly<Record<string, string>>;

export interface ReadinessPorts {
  readonly clock: Clock;
  readonly log: Log;
}

export function isReady(findings: Findings): boolean {
  return Object.values(findings).every((finding) => finding === WRITABLE);
}

/** Tries the checks for whoever asks; those who ask at one time share a try. */
export function createReadiness(checks: readonly WriteCheck[], ports: ReadinessPorts): () => Promise<Findings> {
  const tries = checks.map((check) => new SharedTry(check, ports));
  return async () => Object.fromEntries(await Promise.all(tries.map((one) => one.finding())));
}

/** Whether what requests bring can be stored: each part can write, and this router is a member. */
export function readinessOf(
  { checks }: Pick<Storage, 'checks'>,
  membership: Pick<Membership, 'fault'>,
  ports: ReadinessPorts,
): () => Promise<Findings> {
  const storable = createReadiness(checks, ports);
  return async () => {
    const { fault } = membership;
    return { ...(await storable()), ...(fault === undefined ? {} : { membership: fault }) };
  };
}

interface Found {
  readonly words: string;
  /** How many writes of others had failed when the try began: once they are more, that it could be written says nothing. */
  readonly failures: number;
}

class SharedTry {
  readonly #check: WriteCheck;
  readonly #ports: ReadinessPorts;
  #startedAt = -Infinity;
  /** True until the disk has answered, also long after the askers were told that it is late: never two tries at once. */
  #underWay = false;
  /** What the last try found, or will have found within the limit. */
  #finding: Promise<Found> = Promise.resolve({ words: WRITABLE, failures: 0 });
  /** What was found last, and told to the log, so that only changes are. */
  #found = WRITABLE;
  /** How many writes of others had failed when the last try began. */
  #failures = 0;

  constructor(check: WriteCheck, ports: ReadinessPorts) {
    this.#check = check;
    this.#ports = ports;
  }

  async finding(): Promise<[name: string, finding: string]> {
    const { name } = this.#check;
    // A try that was under way may have written before the write that failed, so there is another behind it.
    for (let tries = 0; tries < 2; tries += 1) {
      if (this.#isDue()) this.#finding = this.#try();
      const { words, failures } = await this.#finding;
      if (words !== WRITABLE || this.#check.failures() <= failures) return [name, words];
    }
    return [name, 'writes fail, although one was possible meanwhile'];
  }

  #isDue(): boolean {
    if (this.#underWay) return false;
    if (this.#ports.clock.steady() - this.#startedAt >= BETWEEN_TRIES_MS) return true;
    return this.#found === WRITABLE && this.#check.failures() > this.#failures;
  }

  async #try(): Promise<Found> {
    const failures = this.#check.failures();
    [this.#underWay, this.#startedAt, this.#failures] = [true, this.#ports.clock.steady(), failures];
    const written = this.#check
      .attempt()
      .then(() => WRITABLE, messageOf)
      .finally(() => (this.#underWay = false));
    const answered = new AbortController();
    const late = this.#ports.clock.sleep(LIMIT_MS, answered.signal).then(lateWords);
    const words = await Promise.race([written, late]);
    answered.abort();
    this.#note(words);
    return { words, failures };
  }

  #note(finding: string): void {
    if (finding === this.#found) return;
    this.#found = finding;
    const { log } = this.#ports;
    if (finding === WRITABLE) log.info({ check: this.#check.name }, 'can write again');
    else log.error({ check: this.#check.name, reason: finding }, 'cannot write, so the router is not ready');
  }
}

function lateWords(): string {
  return `it has not answered within ${LIMIT_MS / 1_000} s`;
}
