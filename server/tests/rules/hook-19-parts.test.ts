import { expect, test } from 'vitest';
import type { SourceView } from '../../directory/source-view.ts';
import { inParts } from '../../events/pipeline.ts';
import type { SchemaSettings } from '../../model/resources.ts';
import { LET_THROUGH } from '../../model/stored-rows.ts';
import { eventOf } from '../support/engine.ts';

const SOURCES = 'workspaces/main/sources';
const WEB = `${SOURCES}/web`;

function viewOf(routes: number, settings: SchemaSettings): SourceView {
  const route = { destination: 'd', calledAs: [], admits: undefined };
  return {
    name: WEB,
    workspace: 'workspaces/main',
    isOfNotices: false,
    version: 1,
    suppressed: [],
    plan: undefined,
    settings,
    routes: Array.from({ length: routes }, () => route),
    undeliverable: [],
  };
}

test('HOOK-19: parts are counted with the deliveries of what is forwarded, and none is empty', () => {
  const events = Array.from({ length: 5 }, (_, index) => eventOf(index));
  /** Routes by the slugs of sources, by which settings name them too. */
  const sizes = (routes: Readonly<Record<string, number>>, settings: Partial<SchemaSettings> = {}): number[] => {
    const source = (name: string) => {
      const [, slug = ''] = name.split(`${SOURCES}/`);
      const count = routes[slug];
      return count === undefined ? undefined : viewOf(count, { ...LET_THROUGH, ...settings });
    };
    return inParts({ source }, WEB, events).map((part) => part.length);
  };
  expect(sizes({})).toEqual([5]);
  expect(sizes({ web: 1_000 })).toEqual([5]);
  expect(sizes({ web: 2_000 })).toEqual([2, 2, 1]);
  expect(sizes({ web: 9_000 })).toEqual([1, 1, 1, 1, 1]);
  expect(sizes({ web: 1_000, blocked: 1_000 }, { forwarding_blocked_events_to: 'blocked' })).toEqual([2, 2, 1]);
  expect(sizes({ web: 1_000, seen: 1_000 }, { forwarding_violations_to: 'seen' })).toEqual([2, 2, 1]);
  expect(sizes({ web: 1_000 }, { forwarding_violations_to: 'gone' })).toEqual([5]);
});

test('HOOK-19: each event is in one part, in the order in which it came', () => {
  const view = viewOf(2_000, LET_THROUGH);
  const source = (name: string) => (name === WEB ? view : undefined);
  for (const count of [0, 1, 2, 3, 4, 7]) {
    const events = Array.from({ length: count }, (_, index) => eventOf(index));
    const parts = inParts({ source }, WEB, events);
    expect(parts.flat()).toEqual(events);
    // Also of a request in which nothing was kept: what it lost is told with its part.
    expect(parts).toHaveLength(Math.max(1, Math.ceil(count / 2)));
  }
});
