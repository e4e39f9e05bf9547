import { inTurn, type Turns, turnsOf } from '../fairness/turns.ts';
import type { Violation } from '../losses/violations.ts';
import type { Event } from '../model/message.ts';
import { enforce, rulesFor } from '../tracking/enforce.ts';
import { createFound } from '../tracking/found.ts';
import type { Plan } from '../tracking/plan.ts';
import { createPlans } from '../tracking/plans.ts';
import { forwardingOf } from '../tracking/schema-settings.ts';
import { violationEvent } from '../tracking/violation-event.ts';
import type { Arrival, Batch, Loss, Outcome, Stage } from './stage.ts';

/** Stage: events of a source with a tracking plan are held to it (D-46). */
export function enforcePlan(turns: Turns): Stage {
  const plans = createPlans();
  return (batch) => {
    const { plan } = batch.source;
    return plan === undefined
      ? { kept: batch.events }
      : hold(batch, plans.of(plan), turnsOf(turns, batch.source.workspace));
  };
}

/** One event after the other, so that others get their turn between (SAFE-2). */
async function hold({ source, events }: Batch, plan: Plan, turns: Turns): Promise<Outcome> {
  const [kept, blocked, undecided]: [Event[], Event[], Event[]] = [[], [], []];
  const losses: Loss[] = [];
  const violations = createFound();
  for (const came of events) {
    for (const rule of rulesFor(came, plan)) {
      const making = rule.prepare(turns);
      if (making !== undefined) await making;
    }
    const verdict = await inTurn(turns, (budget) => enforce(came, plan, source.settings, budget));
    if (verdict.isUndecided) undecided.push(came);
    violations.add(verdict.violations);
    if (verdict.blocked === undefined) kept.push(verdict.event);
    else {
      blocked.push(came);
      losses.push({ event: came, reason: verdict.blocked });
    }
  }
  const forwarded = forwards(source, blocked, violations.first, plan);
  return { kept, losses, violations, forwarded, undecided: { definition: plan.name, events: undecided } };
}

/** What goes on to the sources that the settings name. */
function forwards(
  source: Batch['source'],
  blocked: readonly Event[],
  violations: readonly Violation[],
  { displayName }: Plan,
): Arrival[] {
  const to = forwardingOf(source);
  const arrivals: Arrival[] = [];
  if (to.blocked !== undefined && blocked.length > 0) arrivals.push({ source: to.blocked, events: blocked });
  if (to.violations !== undefined && violations.length > 0) {
    const events = violations.map((violation) => violationEvent(violation, source.name, displayName));
    arrivals.push({ source: to.violations, events });
  }
  return arrivals;
}
