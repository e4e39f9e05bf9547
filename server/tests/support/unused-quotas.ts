import type { Env } from '../../resources/env.ts';
import { endOf } from '../../quotas/usage.ts';

/** Of a router to which nobody sent anything on this first day. */
export function unusedQuotas(): Env['quotas'] {
  return { used: () => Promise.resolve({ events: 0, refused: 0, endsAt: endOf(0) }) };
}
