import { expect, test } from 'vitest';
import type { SuppressedUsers } from '../../directory/suppressed-users.ts';
import { suppress } from '../../events/suppress.ts';
import type { Event } from '../../model/message.ts';
import { LET_THROUGH } from '../../model/stored-rows.ts';
import { eventOf } from '../support/engine.ts';

const listOf = (...users: readonly string[]): SuppressedUsers =>
  new Map(users.map((user_id, sequence) => [user_id, { user_id, suppress_time: '', sequence }]));

/** What the lists of a workspace and of its source leave of events. */
function pass(suppressed: readonly SuppressedUsers[], events: readonly Event[]) {
  const source = {
    name: 'workspaces/main/sources/js',
    workspace: 'workspaces/main',
    isOfNotices: false,
    version: 1,
    suppressed,
    plan: undefined,
    settings: LET_THROUGH,
    routes: [],
    undeliverable: [],
  };
  return suppress({ source, events });
}

const ofUser = (userId: string): Event => eventOf(0, { userId });
const ofVisitor = (anonymousId: string): Event => {
  const { userId: _none, ...event } = eventOf(0, { anonymousId });
  return event;
};

test('D-12: events of users on any of the lists are dropped as suppressed, the others kept in their order', () => {
  const events = ['u1', 'u2', 'u3', 'u4'].map(ofUser);
  const [first, second, third, fourth] = events;
  expect(pass([listOf('u1'), listOf('u3', 'u9')], events)).toEqual({
    kept: [second, fourth],
    losses: [
      { event: first, reason: 'suppressed' },
      { event: third, reason: 'suppressed' },
    ],
  });
});

test('D-12: ids that profiles know as one are of one suppressed user', () => {
  const [half, whole] = ['a\ud800', 'a\uFFFD'].map(ofUser);
  expect(
    pass(
      [listOf('a\uFFFD')],
      [half, whole].flatMap((event) => event ?? []),
    ).kept,
  ).toEqual([]);
});

test('D-12: an alias of a suppressed user is dropped, whichever of its two users that is', () => {
  const alias = eventOf(0, { type: 'alias', userId: 'new', previousId: 'old' });
  for (const user of ['new', 'old']) expect(pass([listOf(user)], [alias]).kept).toEqual([]);
  expect(pass([listOf('another')], [alias]).kept).toEqual([alias]);
});

test('D-12: what names no suppressed user goes on as it came, and nothing is told of', () => {
  const events = [ofUser('u1'), ofVisitor('u2')];
  for (const lists of [[], [listOf()], [listOf('u2')]]) {
    const outcome = pass(lists, events);
    expect(outcome).toStrictEqual({ kept: events });
    expect(outcome.kept).toBe(events);
  }
});
