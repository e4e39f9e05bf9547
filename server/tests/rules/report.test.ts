import { expect, test } from 'vitest';
import type { Directory } from '../../directory/directory.ts';
import { createReport, undeliverableLosses } from '../../events/report.ts';
import type { Loss, Outcome } from '../../events/stage.ts';
import { createDroppedEvents } from '../../losses/dropped-events.ts';
import { createFound } from '../../tracking/found.ts';
import type { Violation } from '../../losses/violations.ts';
import { LET_THROUGH } from '../../model/stored-rows.ts';
import { destination } from '../support/config-resources.ts';
import { eventOf, type LogLine, recordingLog } from '../support/engine.ts';

const SOURCE = 'workspaces/main/sources/js';
const AT = '2026-11-20T12:00:00.000Z';

/** What is told of one request. */
function reported(...outcomes: readonly Omit<Outcome, 'kept'>[]) {
  const [logged, found, undecided]: [LogLine[], unknown[], unknown[]] = [[], [], []];
  const dropped = createDroppedEvents();
  const violations = { add: (...told: readonly unknown[]): void => void found.push(told) };
  const open = { add: (...told: readonly unknown[]): void => void undecided.push(told) };
  createReport({ dropped, violations, undecided: open, log: recordingLog(logged) })(SOURCE, outcomes, AT);
  return { logged, found, undecided, counts: Object.fromEntries(dropped.of(SOURCE)) };
}

const lossOf = (reason: Loss['reason'], count?: number): Loss =>
  count === undefined ? { event: eventOf(0), reason } : { reason, count };

test('D-42: what the stages of a request lost is counted together, one by one or many at once', () => {
  const { counts, logged } = reported(
    { losses: [lossOf('event_too_large'), lossOf('suppressed', 5)] },
    {},
    { losses: [lossOf('event_too_large')] },
  );
  expect(counts).toEqual({ event_too_large: 2, suppressed: 5 });
  const fields = { source: SOURCE, drops: { event_too_large: 2, suppressed: 5 } };
  expect(logged).toEqual([{ level: 'warn', message: 'events dropped', fields }]);
});

test('D-42: a request that lost nothing is not told of', () => {
  expect(reported({}, { losses: [] })).toEqual({ logged: [], found: [], undecided: [], counts: {} });
});

test('what was asked for is logged as information, and warns together with a fault alone', () => {
  const { logged } = reported({ losses: [lossOf('suppressed')] });
  expect(logged.map(({ level, fields }) => [level, fields['drops']])).toEqual([['info', { suppressed: 1 }]]);
});

test('D-11: what was adjusted, or cannot be delivered, is counted, and not logged with each request', () => {
  const { logged, counts } = reported({ losses: [lossOf('timestamp_unreadable'), lossOf('undeliverable')] });
  expect([logged, counts]).toEqual([[], { timestamp_unreadable: 1, undeliverable: 1 }]);
});

test('violations of a plan are counted for their source, whether or not an event was lost', () => {
  const violations = createFound();
  const common = { plan: 'p', type: 'track', event: 'E', messageId: 'm1', receivedAt: AT, message: 'words' };
  const violation: Violation = { ...common, kind: 'unplanned_event', action: 'allowed' };
  violations.add([violation]);
  const { found } = reported({ violations });
  expect(found).toEqual([[SOURCE, [expect.objectContaining({ count: 1, event: 'E' })], [violation]]]);
});

test('SAFE-2: each event that could not be decided counts for its definition', () => {
  const events = [eventOf(0), eventOf(1_000)];
  const { undecided } = reported({ undecided: { definition: 'plan', events } });
  expect(undecided).toEqual(events.map(({ receivedAt }) => ['tracking_plan', 'plan', receivedAt]));
});

type View = NonNullable<ReturnType<Directory['source']>>;

test('D-11: what a destination would have got that delivers nothing is lost, and its kind told of once', () => {
  const logged: LogLine[] = [];
  const lossesOf = undeliverableLosses(recordingLog(logged));
  const unsupported = { ...destination(SOURCE), name: `${SOURCE}/destinations/amplitude` };
  const source: View = {
    name: SOURCE,
    workspace: 'workspaces/main',
    isOfNotices: false,
    version: 1,
    suppressed: [],
    plan: undefined,
    settings: LET_THROUGH,
    routes: [],
    undeliverable: [unsupported],
  };
  const [wanted, unwanted] = [eventOf(0), eventOf(0, { integrations: { All: false } })];
  expect(lossesOf(source, [unwanted])).toEqual([]);
  expect(logged).toEqual([]);
  expect(lossesOf(source, [wanted, unwanted])).toEqual([{ event: wanted, reason: 'undeliverable' }]);
  expect(lossesOf(source, [wanted])).toHaveLength(1);
  expect(logged.map(({ level, fields }) => [level, fields])).toEqual([['warn', { destination: unsupported.name }]]);
  // Once it is another, it is told of again.
  expect(lossesOf({ ...source, undeliverable: [{ ...unsupported }] }, [wanted])).toHaveLength(1);
  expect(logged).toHaveLength(2);
});
