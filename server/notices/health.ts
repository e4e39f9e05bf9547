import type { Destination, Health } from '../model/resources.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** What fails again within this time has not been well for long. */
const RELAPSE_MS = 24 * HOUR;
/** How long something has to work to be well again; twice as long after each relapse … */
const FIRST_CALM_MS = 5 * MINUTE;
/** … up to this. */
const MAX_CALM_MS = 4 * HOUR;

/**
 * How something fares, as notices tell it (D-82). Each function answers the same object where nothing changes.
 *
 * | state   | leaves for                                                    |
 * | well    | failing: it fails                                             |
 * | failing | well: it has worked for a while, and not failed meanwhile     |
 *
 * Once it has turned, it stays so until its notice is accepted, so that none is left out. The while doubles with each relapse
 * within a day: what flaps every hour is told of a few times, and then counts as failing until it rests.
 */
export function failed(health: Health | undefined, at: string): Health {
  if (health?.state === 'failing') {
    if (health.works_since === undefined) return health;
    const { works_since: _works, ...failing } = health;
    return failing;
  }
  if (health?.is_untold === true) return health;
  const { number, relapses } = health ?? { number: 0, relapses: -1 };
  const isRelapse = health !== undefined && Math.abs(Date.parse(at) - Date.parse(health.since)) < RELAPSE_MS;
  return { state: 'failing', since: at, number: number + 1, relapses: isRelapse ? relapses + 1 : 0, is_untold: true };
}

/** It works: from here on its calm is measured. */
export function worked(health: Health | undefined, at: string): Health | undefined {
  if (health?.state !== 'failing' || health.works_since !== undefined) return health;
  return { ...health, works_since: at };
}

/** How long it has to work before it is well. */
export function calmMs({ relapses }: Health): number {
  return Math.min(FIRST_CALM_MS * 2 ** relapses, MAX_CALM_MS);
}

/** It has been calm since it worked, as it stood when that was found. */
export function recovered(health: Health | undefined, found: Health | undefined): Health | undefined {
  if (health?.works_since === undefined || health.works_since !== found?.works_since) return health;
  const { works_since: since, since: failed_since, number, relapses, is_untold } = health;
  if (is_untold === true) return health;
  return { state: 'well', since, failed_since, number: number + 1, relapses, is_untold: true };
}

/** The notice of a state was accepted. */
export function told(health: Health | undefined, { number }: Health): Health | undefined {
  if (health?.number !== number || health.is_untold === undefined) return health;
  const { is_untold: _untold, ...known } = health;
  return known;
}

/** The same resource where its health is the same. */
export function withHealth<R extends Pick<Destination, 'health'>>(one: R, health: Health | undefined): R {
  return health === one.health || health === undefined ? one : { ...one, health };
}
