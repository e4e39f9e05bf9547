import { ApiError } from '../http/errors.ts';
import type { Result, ResultsPage } from '../storage/profile-storage.ts';
import { noProfiles, type Asked, requireComputed } from './computed-syncs.ts';
import type { Env } from './env.ts';
import type { PageQuery } from './pages.ts';
import { placeToken, readPlacePage } from './place-pages.ts';

/**
 * A page of what the last run of an audience or computed trait found. A place is the run that the pages are of, and the last
 * user of the page before.
 */
export async function pageOfResults(
  env: Env,
  asked: Asked,
  { query, list }: { readonly query: PageQuery; readonly list: 'members' | 'values' },
): Promise<{ readonly results: readonly Result[]; readonly next_page_token: string }> {
  const collection = `${asked.name}/${list}`;
  const { after: place, limit } = readPlacePage(query, collection);
  const profiles = profilesOf(env);
  await requireComputed(env, asked);
  const page = await profiles.results({ computation: asked.name, ...placeIn(place), limit });
  if (place !== undefined && page.run === undefined) throw notKept();
  return { results: page.results, next_page_token: nextToken(collection, page, limit) };
}

function placeIn(place: string | undefined): { run?: number; after?: string } {
  if (place === undefined) return {};
  const at = place.indexOf(' ');
  const run = Number(place.slice(0, at));
  // A token can be made up, and a database has no place for such a number.
  if (!Number.isSafeInteger(run)) throw notKept();
  return { run, after: place.slice(at + 1) };
}

function notKept(): ApiError {
  return new ApiError('InvalidArgument', 'page_token is of a sync that is no longer kept: begin again without one');
}

function nextToken(collection: string, { run, next }: ResultsPage, limit: number): string {
  return run === undefined || next === undefined ? '' : placeToken(collection, { after: `${run} ${next}`, limit });
}

export function profilesOf({ profiles }: Env): NonNullable<Env['profiles']> {
  if (profiles === undefined) throw noProfiles();
  return profiles;
}
