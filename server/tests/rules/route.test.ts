import { expect, test } from 'vitest';
import type { Route } from '../../directory/source-view.ts';
import { isWanted, route } from '../../events/route.ts';
import { LET_THROUGH } from '../../model/stored-rows.ts';
import { eventOf } from '../support/engine.ts';
import { newEvaluation } from '../support/evaluation.ts';

const SOURCE = 'workspaces/main/sources/js';

const routed = (events: Parameters<typeof route>[1], routes: readonly Route[]) =>
  route(
    {
      name: SOURCE,
      workspace: 'workspaces/main',
      isOfNotices: false,
      version: 1,
      suppressed: [],
      plan: undefined,
      settings: LET_THROUGH,
      routes,
      undeliverable: [],
    },
    events,
    newEvaluation().turns,
  );

const plain: Route = { destination: 'plain', calledAs: ['plain', 'Webhooks'], admits: undefined };
const filtered: Route = {
  destination: 'filtered',
  calledAs: ['filtered', 'Webhooks'],
  admits: ({ userId }) => userId === 'u1',
};

test('HOOK-19: the filters of a destination decide for it, and not for its siblings', async () => {
  const [first, second] = [eventOf(0, { userId: 'u1' }), eventOf(0, { userId: 'u2' })];
  expect(await routed([first, second], [plain, filtered])).toEqual([
    { source: SOURCE, event: first, to: ['plain', 'filtered'] },
    { source: SOURCE, event: second, to: ['plain'] },
  ]);
});

test('D-45: what an event switches off gets it neither with filters nor without', async () => {
  const event = eventOf(0, { userId: 'u1', integrations: { filtered: false } });
  expect(await routed([event], [plain, filtered])).toEqual([{ source: SOURCE, event, to: ['plain'] }]);
  expect(routed([event], [{ ...filtered, admits: undefined }])).toEqual([{ source: SOURCE, event, to: [] }]);
});

test('D-45: who says nothing of its destinations wants all', () => {
  expect([isWanted(['plain'], undefined), isWanted(['plain'], {}), isWanted([], {})]).toEqual([true, true, true]);
});
