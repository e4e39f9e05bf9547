import type { CaughtEvent } from '../../server/audiences/catch.ts';
import { compileMeasures, type Counted, EVENT_STEPS } from '../../server/audiences/compiled-measures.ts';
import { type Effects, effectsOf } from '../../server/audiences/effects.ts';
import { Budget } from '../../server/evaluation/budget.ts';
import type { Caught } from '../../server/storage/inbox.ts';
import type { MeasuredSpace, Tile } from '../../server/storage/profile-storage.ts';
import type { User } from './user.ts';

/** Adds an event that was caught to the users that it is about; answers how many ids were refused. */
export function addTo(userOf: (user: string) => User, { caught, source }: Caught, space: MeasuredSpace): number {
  const event: CaughtEvent = JSON.parse(caught);
  const effects = effectsOf(event, source, compileMeasures(space.measures), new Budget(EVENT_STEPS));
  for (const { anonymousId, userId } of effects.links) userOf(userId).anonymousIds.add(anonymousId);
  if (effects.holder?.kind === 'user') addToOne(userOf(effects.holder.id), effects);
  return effects.refusedIds;
}

function addToOne(user: User, { traits, counted, ...when }: Effects): void {
  for (const [name, json] of traits) {
    if ((user.setAt.get(name) ?? -Infinity) > when.at) continue;
    user.setAt.set(name, when.at);
    user.traits[name] = JSON.parse(json);
  }
  user.tiles.push(...counted.map((one) => tileOf(one, when)));
}

function tileOf({ measure: { id: measure, kind }, value }: Counted, when: Omit<Effects, 'traits' | 'counted'>): Tile {
  const { at, hour, messageId } = when;
  const json = JSON.stringify(value);
  switch (kind) {
    case 'amounts': {
      const number = typeof value === 'number' ? value : undefined;
      const bounds = { min: number ?? null, max: number ?? null };
      return { measure, hour, kind, count: 1, numbers: number === undefined ? 0 : 1, sum: number ?? 0, ...bounds };
    }
    case 'values':
      return { measure, hour, kind, value: json, count: 1 };
    case 'ends': {
      const end = { at, messageId, value: json };
      return { measure, hour, kind, first: end, last: end };
    }
  }
}
