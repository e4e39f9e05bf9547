/**
 * What evaluating one definition of a customer (the filters of a destination, the rules of a tracking plan) may take for
 * one event. A step is work of about 10 ns at worst, so that no evaluation takes more than about 10 ms (SAFE-2).
 */
export const EVALUATION_STEPS = 1_000_000;

/** Ends an evaluation whose steps are used up: its outcome is undecided. */
export class OverBudget extends Error {
  override readonly name = 'OverBudget';

  constructor() {
    super('the evaluation budget is used up');
  }
}

/** The steps of one evaluation. Whoever interprets a definition spends them as it works, or just before. */
export class Budget {
  readonly #steps: number;
  #left: number;

  constructor(steps = EVALUATION_STEPS) {
    this.#steps = steps;
    this.#left = steps;
  }

  get left(): number {
    return Math.max(0, this.#left);
  }

  /** Throws OverBudget for the step that is one too many, and for each one after it. */
  spend(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) throw new OverBudget();
  }

  /** Never more than there were: what would have gone beyond was not done. */
  get used(): number {
    return Math.min(this.#steps, this.#steps - this.#left);
  }
}

/** What `decide` comes to; undecided when its steps are used up. */
export function decided<Value>(decide: () => Value): Value | 'undecided' {
  try {
    return decide();
  } catch (error) {
    if (error instanceof OverBudget) return 'undecided';
    throw error;
  }
}
