import type { Membership } from '../delivery/membership.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { Storage, WriteCheck } from '../storage/storage.ts';

/** However often somebody asks, a check writes at most this often … */
const BETWEEN_TRIES_MS = 1_000;
/** … and an asker waits for it at most this long: a stuck disk answers never. */
const LIMIT_MS = 2_000;

export const WRITABLE = 'ok';

/** What each check found, by its name: `ok`, or why not, in words. */
export type Findings = Readonly<Record<string, string>>;

export interface ReadinessPorts {
  readonly clock: Clock;
  readonly log: Log;
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

class SharedTry {
  readonly #check: WriteCheck;
  readonly #ports: ReadinessPorts;
  #startedAt = -Infinity;
  /** True until the disk has answered, also long after the askers were told that it is late: never two tries at once. */
  #underWay = false;
  /** What the last try found, or will have found within the limit. */
  #finding: Promise<string> = Promise.resolve(WRITABLE);
  /** What was last told to the log, so that only changes are. */
  #logged = WRITABLE;

  constructor(check: WriteCheck, ports: ReadinessPorts) {
    this.#check = check;
    this.#ports = ports;
  }

  async finding(): Promise<[name: string, finding: string]> {
    const now = this.#ports.clock.steady();
    if (!this.#underWay && now - this.#startedAt >= BETWEEN_TRIES_MS) {
      this.#startedAt = now;
      this.#finding = this.#try();
    }
    return [this.#check.name, await this.#finding];
  }

  async #try(): Promise<string> {
    this.#underWay = true;
    const written = this.#check
      .attempt()
      .then(() => WRITABLE, wordsOf)
      .finally(() => (this.#underWay = false));
    const answered = new AbortController();
    const late = this.#ports.clock.sleep(LIMIT_MS, answered.signal).then(lateWords);
    const finding = await Promise.race([written, late]);
    answered.abort();
    this.#note(finding);
    return finding;
  }

  #note(finding: string): void {
    if (finding === this.#logged) return;
    this.#logged = finding;
    const { log } = this.#ports;
    if (finding === WRITABLE) log.info({ check: this.#check.name }, 'can write again');
    else log.error({ check: this.#check.name, reason: finding }, 'cannot write, so the router is not ready');
  }
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function lateWords(): string {
  return `it has not answered within ${LIMIT_MS / 1_000} s`;
}
