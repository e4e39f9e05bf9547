import type { Directory } from '../directory/directory.ts';
import type { SourceView } from '../directory/source-view.ts';
import type { Turns } from '../fairness/turns.ts';
import type { DropReason } from '../losses/dropped-events.ts';
import type { Event } from '../model/message.ts';
import { workspaceOf } from '../model/resource-names.ts';
import type { Tracing } from '../ports/tracing.ts';
import type { Quotas } from '../quotas/quotas.ts';
import { OutcomeUnknown, StaleRouting } from '../storage/errors.ts';
import { refuseStale } from '../storage/versions.ts';
import type { AcceptedEvents } from '../losses/accepted-events.ts';
import { type Accept, type AcceptPorts, createAccept, DELIVERIES_AT_ONCE, type Routing } from './accept.ts';
import { enforcePlan } from './enforce-plan.ts';
import type { LiveEvents } from './live-events.ts';
import { type Envelope, normalizeCalls, type Received } from './normalize-calls.ts';
import {
  createReport,
  type Report,
  type ReportPorts,
  undeliverableLosses,
  type UndeliverableLosses,
} from './report.ts';
import { route, type Routed } from './route.ts';
import type { Arrival, Outcome, Stage } from './stage.ts';
import { suppress } from './suppress.ts';
import { tracedAccept } from './traced-accept.ts';
import { forwardingOf } from '../tracking/schema-settings.ts';
import { messageOf } from '../thrown.ts';

export interface Receipt {
  readonly accepted: number;
  /** Known messageIds: nothing more was stored for them (D-43). */
  readonly duplicates: number;
}

/** Events of a workspace whose configuration changes faster than they pass are sent again by their sender. */
const MAX_PASSES = 10;

export interface PipelinePorts extends AcceptPorts, ReportPorts {
  readonly accepted: Pick<AcceptedEvents, 'add'>;
  readonly live: Pick<LiveEvents, 'tell'>;
  readonly directory: Pick<Directory, 'source' | 'version' | 'refresh'>;
  readonly turns: Turns;
  /** Absent where workspaces have none. */
  readonly quotas?: Pick<Quotas, 'take'> | undefined;
  /** The messageId of an event that came without one, whole: `api-…`. */
  readonly newId: () => string;
  /** Absent where nothing is traced. */
  readonly tracing?: Tracing | undefined;
}

/**
 * What each event passes on its way into storage: receive → normalize → stages → route → accept. Each way in resolves once
 * everything that is kept is on disk (ING-10), and rejects with OutcomeUnknown when some of it may be; when nothing is, with why.
 */
export class Pipeline {
  readonly #ports: PipelinePorts;
  /** In this order: of a suppressed user nothing is told, not even that a plan was violated. */
  readonly #stages: readonly Stage[];
  readonly #accept: Accept;
  readonly #report: Report;
  readonly #undeliverable: UndeliverableLosses;

  constructor(ports: PipelinePorts) {
    this.#ports = ports;
    this.#stages = [suppress, enforcePlan(ports.turns)];
    const accept = createAccept(ports);
    this.#accept = ports.tracing === undefined ? accept : tracedAccept(accept, ports.tracing);
    this.#report = createReport(ports);
    this.#undeliverable = undeliverableLosses(ports.log);
  }

  /**
   * The calls of one request, as they were sent. Each that cannot be kept is dropped alone (D-42); of those beyond the quota of their
   * workspace nothing is stored (ING-11).
   */
  async receive(received: Received): Promise<void> {
    const { source, sourceNow, envelope, calls } = received;
    const { directory, quotas, newId } = this.#ports;
    const taken = quotas?.take(workspaceOf(source), calls.length);
    const pass = taken === undefined ? undefined : await taken;
    const normalized = normalizeCalls(received, newId);
    const parts = inParts(directory, source, normalized.kept);
    for (const [index, events] of parts.entries()) {
      // What was dropped is told once, when all of the request is stored.
      const told = index === parts.length - 1 ? normalized : undefined;
      const { receivedText: receivedAt, traceparent } = envelope;
      const known = { sourceNow, normalized: told, receivedAt, traceparent };
      await this.#pass({ source, events }, this.#stages, known).catch((thrown: unknown) => {
        const error = index === 0 ? thrown : partlyStored(thrown, index, parts.length);
        // What may be stored counts: a quota must not be passed.
        if (!(error instanceof OutcomeUnknown)) pass?.giveBack();
        throw error;
      });
    }
  }

  /** Events that are normalized. */
  accept(arrival: Arrival): Promise<Receipt> {
    return this.#pass(arrival, this.#stages);
  }

  /** Events of the router itself, which no source sent: they pass no stage. */
  announce(arrival: Arrival): Promise<Receipt> {
    return this.#pass(arrival, []);
  }

  /** A call that is refused whole. */
  drop(source: string, { receivedText }: Envelope, event: unknown, reason: DropReason): void {
    this.#report(source, [{ losses: [{ event, reason }] }], receivedText);
  }

  /** What was routed by a configuration that has changed since passes once more (D-63); nothing of it was stored or told. */
  async #pass({ source, events }: Arrival, stages: readonly Stage[], calls?: Calls): Promise<Receipt> {
    let name = source;
    for (let passes = 1; ; passes += 1) {
      try {
        return await this.#passOnce({ source: name, events }, stages, calls);
      } catch (error) {
        if (!(error instanceof StaleRouting) || passes === MAX_PASSES) throw error;
        // What let them in may have changed as well (NODE-5).
        if (calls !== undefined) ({ name } = await calls.sourceNow());
      }
    }
  }

  async #passOnce({ source: name, events }: Arrival, stages: readonly Stage[], calls?: Calls): Promise<Receipt> {
    const { normalized, receivedAt = events[0]?.receivedAt ?? '', traceparent } = calls ?? {};
    const { directory } = this.#ports;
    const [source, workspace] = [directory.source(name), workspaceOf(name)];
    const by = { workspace, version: source?.version ?? directory.version(workspace) };
    // A source that was removed a moment ago: its events are kept, and go nowhere.
    const outcomes = source === undefined ? [] : await passStages(source, events, stages);
    const kept = outcomes.at(-1)?.kept ?? events;
    const forwarded = outcomes.some((outcome) => outcome.forwarded) ? await this.#forward(source, outcomes) : [];
    const own = this.#route(name, source, kept);
    const routed = [...(own instanceof Promise ? await own : own), ...forwarded.flatMap((one) => one.routed)];
    const isNew = routed.length === 0 ? await this.#acceptNothing(by) : await this.#accept(routed, by, traceparent);
    const accepted = kept.filter((_event, index) => isNew[index] === true);
    this.#ports.accepted.add(name, accepted);
    this.#ports.live.tell(routed, isNew);
    const losses = source === undefined ? [] : this.#undeliverable(source, accepted);
    this.#report(name, [...(normalized === undefined ? [] : [normalized]), ...outcomes, { losses }], receivedAt);
    for (const { source: target, outcome } of forwarded) this.#report(target, [outcome], receivedAt);
    return { accepted: accepted.length, duplicates: kept.length - accepted.length };
  }

  /** Nothing is left that the storage could compare versions for; what was dropped may have to be kept by now (NODE-5). */
  async #acceptNothing(by: Routing): Promise<readonly never[]> {
    const { directory } = this.#ports;
    await directory.refresh();
    refuseStale(by, (workspace) => directory.version(workspace));
    return [];
  }

  #route(name: string, source: SourceView | undefined, events: readonly Event[]): ReturnType<typeof route> {
    if (source !== undefined) return route(source, events, this.#ports.turns);
    return events.map((event) => ({ source: name, event, to: [] }));
  }

  /** What stages send on to other sources of the workspace, but for events of users whom those suppress (D-12). */
  async #forward(from: SourceView | undefined, outcomes: readonly Outcome[]): Promise<Forwarded[]> {
    const forwards: Forwarded[] = [];
    for (const { source: target, events } of outcomes.flatMap(({ forwarded = [] }) => forwarded)) {
      const source = target === from?.name ? undefined : this.#ports.directory.source(target);
      if (source?.isOfNotices === false) {
        const outcome = suppress({ source, events });
        forwards.push({ source: target, outcome, routed: await this.#route(target, source, outcome.kept) });
      } else {
        const fields = { source: from?.name, target, events: events.length };
        this.#ports.log.warn(fields, 'not forwarded: name another source that exists, and takes events');
      }
    }
    return forwards;
  }
}

/** What is known of events that came as calls of a request. */
interface Calls extends Pick<Received, 'sourceNow'> {
  readonly normalized: Outcome | undefined;
  readonly receivedAt: string;
  readonly traceparent: string | undefined;
}

/** What went on to a source, and what was suppressed there. */
interface Forwarded {
  readonly source: string;
  readonly outcome: Outcome;
  readonly routed: readonly Routed[];
}

/** What each stage made of what the one before it kept; one that has nothing left is not asked. */
async function passStages(source: SourceView, events: readonly Event[], stages: readonly Stage[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  let kept = events;
  for (const stage of stages) {
    if (kept.length === 0) break;
    const made = stage({ source, events: kept });
    const outcome = made instanceof Promise ? await made : made;
    outcomes.push(outcome);
    ({ kept } = outcome);
  }
  return outcomes;
}

type Sources = Pick<Directory, 'source'>;

/** The events of a request as they are stored, one part after the other. There is always a part, and an event in each but an only one. */
export function inParts(sources: Sources, source: string, events: readonly Event[]): readonly (readonly Event[])[] {
  if (events.length <= 1) return [events];
  const size = Math.max(1, Math.floor(DELIVERIES_AT_ONCE / Math.max(1, deliveriesOfEvent(sources, source))));
  if (events.length <= size) return [events];
  const parts = Math.ceil(events.length / size);
  return Array.from({ length: parts }, (_, part) => events.slice(part * size, (part + 1) * size));
}

/** At most: it may be forwarded, and what is told of it as well. */
function deliveriesOfEvent(sources: Sources, name: string): number {
  const source = sources.source(name);
  if (source === undefined) return 0;
  const routesOf = (target = ''): number => sources.source(target)?.routes.length ?? 0;
  const { blocked, violations } = forwardingOf(source);
  return source.routes.length + routesOf(blocked) + routesOf(violations);
}

function partlyStored(error: unknown, stored: number, parts: number): OutcomeUnknown {
  const reason = messageOf(error);
  return new OutcomeUnknown(`${stored} of ${parts} parts are stored: ${reason}`, { cause: error });
}
