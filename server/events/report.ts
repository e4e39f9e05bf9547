import { type DroppedEvents, kindOfLoss, type LossReason } from '../losses/dropped-events.ts';
import type { Undecided } from '../losses/undecided.ts';
import type { Violations } from '../losses/violations.ts';
import { calledAs } from '../destinations/kind.ts';
import type { SourceView } from '../directory/source-view.ts';
import type { Event } from '../model/message.ts';
import type { Log } from '../ports/log.ts';
import type { Resources } from '../model/resources.ts';
import { createDrops } from './drops.ts';
import { isWanted } from './route.ts';
import type { Loss, Outcome } from './stage.ts';

export interface ReportPorts {
  readonly dropped: Pick<DroppedEvents, 'add'>;
  readonly violations: Pick<Violations, 'add'>;
  readonly undecided: Pick<Undecided, 'add'>;
  readonly log: Log;
}

/**
 * Counts and logs what a request lost, for all stages alike. To be called once the rest of it is stored: a request that
 * could not be stored is sent again, and would count twice.
 */
export interface Report {
  /** `receivedAt` as ISO 8601. */
  (source: string, outcomes: readonly Omit<Outcome, 'kept'>[], receivedAt: string): void;
}

export function createReport({ dropped, violations, undecided, log }: ReportPorts): Report {
  return (source, outcomes, receivedAt) => {
    const losses = outcomes.flatMap((outcome) => outcome.losses ?? []);
    for (const { violations: found, undecided: open } of outcomes) {
      if (found !== undefined) violations.add(source, found.counts(), found.last);
      if (open === undefined) continue;
      for (const { receivedAt: at } of open.events) undecided.add('tracking_plan', open.definition, at);
    }
    if (losses.length === 0) return;
    const drops = createDrops(receivedAt);
    for (const { event, reason, count } of losses) {
      if (count === undefined) drops.add(event, reason);
      else drops.addMany(reason, count);
    }
    dropped.add(source, drops.counts, drops.last);
    tell(log, source, drops.counts);
  };
}

/**
 * One line for a request. Who reads the log is warned of what senders do wrong; the rest was asked for. What cannot be
 * delivered is told once, and not with each request (D-11).
 */
function tell(log: Log, source: string, counts: ReadonlyMap<LossReason, number>): void {
  const gone = [...counts].filter(([reason]) => kindOfLoss(reason) !== 'adjusted' && reason !== 'undeliverable');
  if (gone.length === 0) return;
  const isFault = gone.some(([reason]) => kindOfLoss(reason) === 'dropped');
  log[isFault ? 'warn' : 'info']({ source, drops: Object.fromEntries(gone) }, 'events dropped');
}

/** What would have gone to destinations that deliver nothing (D-11): each is told of in the log once, until it changes. */
export type UndeliverableLosses = (source: SourceView, stored: readonly Event[]) => Loss[];

export function undeliverableLosses(log: Log): UndeliverableLosses {
  const told = new WeakSet<Resources['destinations']>();
  return ({ undeliverable }, stored) =>
    undeliverable.flatMap((destination) => {
      const { name } = destination;
      const names = calledAs(destination);
      const lost = stored.filter((event) => isWanted(names, event.integrations));
      if (lost.length > 0 && !told.has(destination)) {
        told.add(destination);
        log.warn(
          { destination: name },
          'this kind of destination is not supported; its events are counted as undeliverable',
        );
      }
      return lost.map((event) => ({ event, reason: 'undeliverable' as const }));
    });
}
