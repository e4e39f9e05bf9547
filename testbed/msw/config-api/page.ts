import { Refusal } from './refusal.ts';

/** The query of a List, as the document declares it. */
export interface PageQuery {
  readonly page_size?: number | undefined;
  readonly page_token?: string | undefined;
}

export interface Page {
  readonly names: readonly string[];
  readonly next: string;
}

const LARGEST = 1_000;

/** One page of a list, and the token of the next (CFG-5, D-7): it remembers its size, and is good for this list alone. */
export function pageOf(
  all: readonly string[],
  { page_size: size = 0, page_token: token = '' }: PageQuery,
  collection: string,
): Page {
  // CFG-22.
  const standard = collection === 'workspaces' ? 10 : 100;
  const start = token === '' ? { after: '', size: standard } : readToken(token, collection);
  const limit = Math.min(size > 0 ? size : start.size, LARGEST);
  const from = start.after === '' ? 0 : all.indexOf(start.after) + 1;
  const names = all.slice(from, from + limit);
  const after = names.at(-1);
  const isLast = from + limit >= all.length || after === undefined;
  return { names, next: isLast ? '' : tokenOf({ collection, after, size: limit }) };
}

interface Place {
  readonly collection: string;
  readonly after: string;
  readonly size: number;
}

function tokenOf(place: Place): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url');
}

function readToken(token: string, collection: string): Place {
  const place = placeIn(token);
  if (place?.collection === collection) return place;
  throw new Refusal(400, 'page_token is invalid, or belongs to another list: start without one');
}

function placeIn(token: string): Place | undefined {
  try {
    const place: Partial<Place> = Object(JSON.parse(Buffer.from(token, 'base64url').toString('utf8')));
    const { collection, after, size } = place;
    if (typeof collection !== 'string' || typeof after !== 'string' || typeof size !== 'number') return undefined;
    return { collection, after, size };
  } catch {
    return undefined;
  }
}
