import type { Result } from '../storage/profile-storage.ts';
import type { Told } from '../storage/telling-storage.ts';
import { compareUsers } from './user-order.ts';

/** A part of a list in the order of users. */
export interface Part<Row extends { readonly user: string }> {
  readonly rows: readonly Row[];
  /** Whether more rows stand behind these. */
  readonly isMore: boolean;
}

export interface Differences {
  /** Users to whom another value is to be told than they were told, or the first. */
  readonly changed: readonly { readonly user: string; readonly value: string }[];
  /** Users that were told something, and of whom the run found nothing. */
  readonly gone: readonly Told[];
  /** Both lists were compared up to this user; undefined when to their ends. */
  readonly upTo: string | undefined;
}

/** What is to be told, where two lists that begin behind the same user differ (D-71). */
export function differences(found: Part<Result>, told: Part<Told>): Differences {
  const upTo = firstOf(endOf(found), endOf(told));
  const isWithin = ({ user }: { readonly user: string }): boolean =>
    upTo === undefined || compareUsers(user, upTo) <= 0;
  const heard = new Map(told.rows.filter(isWithin).map((one) => [one.user, one]));
  const changed: { user: string; value: string }[] = [];
  for (const { user, value } of found.rows.filter(isWithin)) {
    if (heard.get(user)?.value !== value) changed.push({ user, value });
    heard.delete(user);
  }
  return { changed, gone: [...heard.values()], upTo };
}

function endOf({ rows, isMore }: Part<{ readonly user: string }>): string | undefined {
  return isMore ? rows.at(-1)?.user : undefined;
}

function firstOf(one: string | undefined, other: string | undefined): string | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return compareUsers(one, other) < 0 ? one : other;
}
