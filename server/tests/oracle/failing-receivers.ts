import type { Clock } from '../../ports/clock.ts';
import type { Random } from '../../ports/random.ts';
import { answers, type Endpoint } from '../../../testbed/simulation/simulated-transport.ts';
import { HOUR } from '../support/audience-world.ts';

/** Longer than routers wait for an answer: the receiver takes what the router sends once more. */
const TOO_LATE_MS = 9_000;
/** Some absences are longer than deliveries are tried. */
const LONGEST_ABSENCE = 6 * HOUR;

/** Receivers that are away for hours, and refuse some of what comes at other times or answer it late. In the end all take everything. */
export class FailingReceivers {
  readonly #random: Random;
  /** By address: until when it is away, in steady time. */
  readonly #away = new Map<string, number>();
  #isCalm = false;

  constructor(random: Random) {
    this.#random = random;
  }

  goAway(url: string, clock: Pick<Clock, 'steady'>): number {
    const until = clock.steady() + Math.floor(this.#random() * LONGEST_ABSENCE);
    this.#away.set(url, until);
    return until;
  }

  /** Whether all take everything at once. */
  get isCalm(): boolean {
    return this.#isCalm;
  }

  calmDown(): void {
    this.#isCalm = true;
  }

  readonly answer: Endpoint = ({ at, request }) => {
    if (this.#isCalm) return answers(200);
    if (at < (this.#away.get(request.url) ?? 0)) return answers(503);
    const roll = this.#random();
    if (roll < 0.2) return answers(503);
    const afterMs = roll < 0.25 ? TOO_LATE_MS : Math.floor(this.#random() * 500);
    return { ...answers(200), afterMs };
  };
}
