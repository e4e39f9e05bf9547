import { inTurn, type Turns } from '../evaluation/turns.ts';
import { createDrops } from './drops.ts';
import type { ConfigStore, Resources, SchemaSettings } from '../storage/config-store.ts';
import type { DroppedEvents } from '../losses/dropped-events-port.ts';
import type { Log } from '../ports/log.ts';
import type { Event } from '../model/message.ts';
import type { Undecided } from '../losses/undecided-port.ts';
import type { Violation, Violations } from '../losses/violations-port.ts';
import type { Arrival, Intake } from './intake.ts';
import { enforce, rulesFor } from '../tracking/enforce.ts';
import { createFound } from '../tracking/found.ts';
import type { Plan } from '../tracking/plan.ts';
import type { Plans } from '../tracking/plans.ts';
import { settingsOf } from '../tracking/schema-settings.ts';
import { violationEvent } from '../tracking/violation-event.ts';

interface Ports {
  readonly config: Pick<ConfigStore, 'get'>;
  readonly plans: Plans;
  readonly dropped: DroppedEvents;
  readonly violations: Violations;
  readonly undecided: Pick<Undecided, 'add'>;
  readonly turns: Turns;
  readonly log: Log;
}

/** What the plan makes of the events of one request. */
interface Sifted {
  readonly kept: readonly Event[];
  readonly blocked: readonly Event[];
  /** Those that can be forwarded. */
  readonly violations: readonly Violation[];
  /** Counts what the request lost, once it is stored. */
  readonly note: () => void;
}

/** An intake that holds the events of sources with a tracking plan to it. */
export function enforcing(intake: Intake, ports: Ports): Intake {
  return {
    async accept(arrival) {
      const source = await ports.config.get('sources', arrival.source);
      const stored = await planOf(source, ports.config);
      if (source === undefined || stored === undefined) return intake.accept(arrival);
      const [plan, settings] = [ports.plans.of(stored), settingsOf(source)];
      const sifted = await sift(arrival, { plan, settings, ports });
      const { kept } = sifted;
      const receipt =
        kept.length === 0 ? { accepted: 0, duplicates: 0 } : await intake.accept({ ...arrival, events: kept });
      for (const onward of await forwards(arrival, sifted, { plan, settings, ports })) await intake.accept(onward);
      // Counted last: a request that could not be stored is sent again, and would count twice.
      sifted.note();
      return receipt;
    },
  };
}

/** A connection to a plan that was deleted since is none. */
async function planOf(
  source: Resources['sources'] | undefined,
  config: Ports['config'],
): Promise<Resources['tracking-plans'] | undefined> {
  const { tracking_plan: name } = source ?? {};
  return name === undefined ? undefined : config.get('tracking-plans', name);
}

interface Enforcement {
  readonly plan: Plan;
  readonly settings: SchemaSettings;
  readonly ports: Ports;
}

async function sift({ source, events }: Arrival, { plan, settings, ports }: Enforcement): Promise<Sifted> {
  const [kept, blocked]: [Event[], Event[]] = [[], []];
  const found = createFound();
  const drops = createDrops(events[0]?.receivedAt ?? '');
  // One event after the other, so that others get their turn between (SAFE-2).
  for (const came of events) {
    for (const rule of rulesFor(came, plan)) {
      const making = rule.prepare(ports.turns);
      if (making !== undefined) await making;
    }
    const verdict = await inTurn(ports.turns, (budget) => enforce(came, plan, settings, budget));
    if (verdict.isUndecided) ports.undecided.add('tracking_plan', plan.name, came.receivedAt);
    found.add(verdict.violations);
    if (verdict.blocked === undefined) kept.push(verdict.event);
    else {
      blocked.push(came);
      drops.add(came, verdict.blocked);
    }
  }
  const note = (): void => {
    ports.violations.add(source, found.counts(), found.last);
    if (blocked.length === 0) return;
    ports.dropped.add(source, drops.counts, drops.last);
    ports.log.info(
      { source, plan: plan.name, drops: Object.fromEntries(drops.counts) },
      'events blocked by their plan',
    );
  };
  return { kept, blocked, violations: found.first, note };
}

/** What goes on to other sources of the workspace. There it is held to no plan: it would come round for ever. */
async function forwards(
  { source }: Arrival,
  { blocked, violations }: Sifted,
  { plan, settings, ports }: Enforcement,
): Promise<Arrival[]> {
  const tell = (violation: Violation): Event => violationEvent(violation, source, plan.displayName);
  const targets = [
    { slug: settings.forwarding_blocked_events_to, eventsOf: () => blocked },
    { slug: settings.forwarding_violations_to, eventsOf: () => violations.map(tell) },
  ];
  const arrivals: Arrival[] = [];
  for (const { slug, eventsOf } of targets) {
    const events = slug === '' ? [] : eventsOf();
    if (events.length === 0) continue;
    const target = `${source.slice(0, source.lastIndexOf('/'))}/${slug}`;
    const isThere = target !== source && (await ports.config.get('sources', target)) !== undefined;
    if (isThere) arrivals.push({ source: target, events });
    else ports.log.warn({ source, target, events: events.length }, 'not forwarded: name another source that exists');
  }
  return arrivals;
}
