import { cutText } from '../losses/bounded.ts';
import type { Event } from '../model/message.ts';
import type { Violation } from '../losses/violations.ts';
import { EVENT_VIOLATIONS } from './limits.ts';

interface Finding extends Pick<Violation, 'kind' | 'action' | 'message'> {
  readonly rule?: string;
  readonly field?: string;
  /** In the place of `field`: the way from the event down. */
  readonly steps?: readonly string[];
}

/** The violations of one event while it is looked at. */
export interface Findings {
  readonly all: readonly Violation[];
  /** What was found in one place counts once. */
  add(finding: Finding): void;
}

/** The longest text of a sender or a plan that is kept, in UTF-16 units. */
const LENGTH = 200;

export function createFindings({ type, event, messageId, receivedAt }: Event, plan: string): Findings {
  const all: Violation[] = [];
  let seen: Set<string> | undefined;
  const name = type === 'track' && event !== undefined ? { event: cutText(event, LENGTH) } : {};
  return {
    all,
    add({ kind, action, message, rule, steps, field: named }) {
      if (all.length >= EVENT_VIOLATIONS) return;
      const field = steps === undefined ? named : fieldOf(steps);
      const key = `${kind} ${field ?? message}`;
      seen ??= new Set();
      if (seen.has(key)) return;
      seen.add(key);
      const where = {
        ...(rule === undefined ? {} : { rule }),
        ...(field === undefined ? {} : { field: cutText(field, LENGTH) }),
      };
      const what = { kind, action, ...where, message: cutText(message, LENGTH), plan };
      all.push({ ...what, type, ...name, messageId: cutText(messageId, LENGTH), receivedAt });
    },
  };
}

/** `properties`, `products`, `0`, `price` → `properties.products[0].price`. */
function fieldOf(steps: readonly string[]): string {
  return steps.map((step, at) => (/^\d+$/.test(step) ? `[${step}]` : `${at === 0 ? '' : '.'}${step}`)).join('');
}
