import { AnalyticsError } from './error.ts';
import type { Gate } from './gate.ts';
import type { Item } from './item.ts';
import type { Settings } from './options.ts';
import type { Reporter } from './reporter.ts';
import { request } from './request.ts';
import { decide, NO_TRIES, type Retry } from './retry-decision.ts';

/** How many requests it took, or why it was given up; undefined when the gate was stopped. */
export type Landing = { readonly attempts: number } | AnalyticsError | Retry | undefined;

/** Sends a batch until it is delivered, given up or put back; `rest` is called once others may go on while it waits. Never rejects, but for a clock or a random that throws. */
export async function deliver(
  items: readonly Item[],
  settings: Settings,
  reporter: Reporter,
  gate: Gate,
  rest: () => void,
): Promise<Landing> {
  const { signal } = gate;
  let tries = items[0]?.tries ?? NO_TRIES;
  for (;;) {
    // Also when it is open this lasts until the call that filled the batch has ended, so that no call pays for a request.
    await gate.passed(signal);
    if (signal.aborted) return undefined;
    const attempts = tries.attempts + 1;
    const outcome = await request(items, attempts, settings, reporter, signal);
    if (outcome === undefined || signal.aborted) return undefined;
    const decision = decide(outcome, tries, items.length, reporter.trouble === '', settings);
    if (decision === 'delivered') return { attempts };
    if (typeof decision === 'string')
      return new AnalyticsError(decision, outcome.cause, attempts, outcome.status || undefined);
    tries = decision.tries;
    const { waitMs, place } = decision;
    reporter.retrying(attempts, waitMs, outcome.cause);
    if (place === 'aside') rest();
    if (place === 'all') gate.hold(waitMs);
    else await gate.pause(waitMs, signal);
    if (place && place !== 'all') return decision;
  }
}
