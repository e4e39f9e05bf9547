import { expect, test } from 'vitest';
import { createDroppedEvents } from '../../losses/dropped-events.ts';
import { createDrops } from '../../events/drops.ts';
import type { Event } from '../../model/message.ts';
import { createFindings } from '../../tracking/findings.ts';
import { createFound } from '../../tracking/found.ts';
import { createViolations } from '../../losses/violations.ts';
import { kept } from '../support/kept-bytes.ts';
import { foundIn, judge, orderPlan, PLAN, trackOf } from '../support/tracking.ts';

const TIME = '2026-11-20T12:00:00.000Z';

/** Texts as a parser makes them: none shares its memory with another. */
function own(text: string): string {
  const parsed: string = JSON.parse(JSON.stringify(text));
  return parsed;
}

test('D-42: of a text of which a dropped event keeps the beginning, nothing else stays in memory', () => {
  const { made, bytes } = kept(() => {
    const dropped = createDroppedEvents();
    for (let at = 0; at < 100; at += 1) {
      const drops = createDrops(TIME);
      drops.add({ type: 'track', event: own(`${at} ${'x'.repeat(400_000)}`) }, 'event_too_large');
      dropped.add('s', drops.counts, drops.last);
    }
    return dropped;
  });
  expect(bytes).toBeLessThan(2_000_000);
  expect(made.lastOf('s')[0]?.event).toBe(`99 ${'x'.repeat(97)}`);
});

function violationOf(at: number, text: string) {
  const names = { event: own(`${at} ${text}`), messageId: own(`${at} id ${text}`) };
  const event = { type: 'track', ...names, context: {}, timestamp: TIME, receivedAt: TIME } satisfies Event;
  const findings = createFindings(event, PLAN);
  const field = own(`properties.${at}${text}`);
  findings.add({ kind: 'unplanned_property', action: 'allowed', field, message: 'is not in the tracking plan' });
  return findings.all;
}

test('D-46: of a text of which a violation keeps the beginning, nothing else stays in memory', () => {
  const { made, bytes } = kept(() => {
    const violations = createViolations();
    for (let at = 0; at < 1_000; at += 1) violations.add('s', ...foundIn(violationOf(at, 'x'.repeat(10_000))));
    return violations;
  });
  expect(bytes).toBeLessThan(3_000_000);
  expect(made.countsOf('s')).toHaveLength(1_000);
  expect(made.lastOf('s')[0]?.event).toBe(`999 ${'x'.repeat(196)}`);
});

test('D-46: violations of very many sources take a bounded memory, and the quietest source gives way', () => {
  const limits = { lists: 4_000_000, counts: 2_000_000 };
  const { made, bytes } = kept(() => {
    const violations = createViolations(limits);
    for (let source = 0; source < 200; source += 1) {
      const found = Array.from({ length: 100 }, (_, at) => violationOf(at, 'ж'.repeat(300))).flat();
      violations.add(`s${source}`, ...foundIn(found));
    }
    return violations;
  });
  // Unbounded they take 26 MB and 10 MB.
  expect(bytes).toBeLessThan(8_000_000);
  expect([made.lastOf('s199').length, made.countsOf('s199').length]).toEqual([100, 100]);
  expect([made.lastOf('s0').length, made.countsOf('s0').length]).toEqual([0, 0]);
});

test('D-46: of fifty thousand violations of one request no more is held than can be read or forwarded', () => {
  const properties = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`unplanned${at}`, 1]));
  const event = trackOf(properties);
  const rules = orderPlan({ properties: { planned: {} } });
  const { made, bytes } = kept(() => {
    const found = createFound();
    for (let at = 0; at < 2_500; at += 1) found.add(judge({ ...event, messageId: `m${at}` }, rules).violations);
    return found;
  });
  // All of them take 9 MB.
  expect(bytes).toBeLessThan(2_000_000);
  const { type, event: name = '' } = event;
  expect(made.counts()).toEqual([{ type, event: name, kind: 'unplanned_property', count: 50_000 }]);
  expect([made.first.length, made.first[0]?.messageId]).toEqual([1_000, 'm0']);
  expect([made.last.length, made.last.at(-1)?.messageId]).toEqual([100, 'm2499']);
});

test('D-46: lists give way before counts do', () => {
  const violations = createViolations({ lists: 100_000, counts: 1_000_000 });
  for (let source = 0; source < 20; source += 1) {
    violations.add(`s${source}`, ...foundIn(Array.from({ length: 100 }, () => violationOf(0, 'x')).flat()));
  }
  expect([violations.lastOf('s0').length, violations.countsOf('s0')[0]?.count]).toEqual([0, 100]);
  expect(violations.lastOf('s19')).toHaveLength(100);
});

test('D-42: dropped events of very many sources take a bounded memory, and are counted all the same', () => {
  const { made, bytes } = kept(() => {
    const dropped = createDroppedEvents(2_000_000);
    for (let source = 0; source < 200; source += 1) {
      const drops = createDrops(TIME);
      for (let at = 0; at < 100; at += 1) {
        const [event, messageId] = [own(`${at} ${'ж'.repeat(300)}`), own(`${at} id ${'ж'.repeat(300)}`)];
        drops.add({ type: 'track', event, messageId }, 'no_user_anon_id');
      }
      dropped.add(`s${source}`, drops.counts, drops.last);
    }
    return dropped;
  });
  // Unbounded they take 12 MB.
  expect(bytes).toBeLessThan(4_000_000);
  expect([made.lastOf('s199').length, made.lastOf('s0').length]).toEqual([100, 0]);
  expect(made.of('s0')).toEqual(new Map([['no_user_anon_id', 100]]));
});
