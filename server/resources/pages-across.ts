import type { Turns } from '../fairness/turns.ts';
import { invalid } from '../http/errors.ts';
import type { Kind, Resources } from '../model/resources.ts';
import type { ConfigStore, Entry } from '../storage/config-store.ts';
import { type ListAnswer, type PageQuery, ROW_STEPS, withinLength } from './pages.ts';
import { placeToken, readPlacePage } from './place-pages.ts';

/** A list of all resources of a kind in a workspace, wherever they stand. */
export interface AcrossRequest<K extends Kind> {
  readonly kind: K;
  /** The kinds that it stands below, outermost first. */
  readonly above: readonly Kind[];
  readonly workspace: string;
  readonly query: PageQuery;
  readonly turns?: Turns | undefined;
}

/** The sequences of what a row stands in, outermost first, and its own: rows are in the order of these. */
type Place = readonly number[];

interface Found<R> {
  readonly entry: Entry<R>;
  readonly place: Place;
}

/** In so many children are looked for at once, which on a database share a look at what is new; in more where few have any. */
const [PARENTS_AT_ONCE, MOST_AT_ONCE] = [50, 1_000];

/** One page, parent by parent in the order of their creation (CFG-5, CFG-6). */
export async function listAcross<K extends Kind>(
  store: Pick<ConfigStore, 'list'>,
  { kind, above, workspace, query, turns }: AcrossRequest<K>,
): Promise<ListAnswer<Resources[K]>> {
  const list = `${workspace}/-/${kind}`;
  const { after, limit } = readPlacePage(query, list);
  const walk = new Walk(store, workspace, turns);
  // One row more than the page holds tells whether there is another page.
  const rows = await walk.rows(kind, above, placeIn(after, above.length + 1), limit + 1);
  const shown = withinLength(rows.slice(0, limit), ({ entry }) => entry.text.length);
  const last = shown.at(-1);
  const isLast = rows.length === shown.length || last === undefined;
  return {
    items: shown.map(({ entry }) => entry.resource),
    next_page_token: isLast ? '' : placeToken(list, { after: last.place.join(' '), limit }),
  };
}

/** Before the first row without one. A token can be made up, and no storage counts as far as it may say. */
function placeIn(text: string | undefined, length: number): Place {
  if (text === undefined) return Array.from({ length }, () => 0);
  const place = text.split(' ').map(Number);
  if (place.length === length && place.every((one) => Number.isSafeInteger(one))) return place;
  throw invalid('page_token is invalid, or belongs to another list: start without one');
}

class Walk {
  readonly #store: Pick<ConfigStore, 'list'>;
  readonly #workspace: string;
  readonly #turns: Turns | undefined;

  constructor(store: Pick<ConfigStore, 'list'>, workspace: string, turns: Turns | undefined) {
    [this.#store, this.#workspace, this.#turns] = [store, workspace, turns];
  }

  /** As many rows behind a place; fewer only where there are no more. */
  async rows<K extends Kind>(
    kind: K,
    above: readonly Kind[],
    after: Place,
    limit: number,
  ): Promise<Found<Resources[K]>[]> {
    const [parentKind, own = 0] = [above.at(-1), after.at(-1)];
    if (parentKind === undefined) return this.#below(kind, { name: this.#workspace, place: [] }, own, limit);
    const found: Found<Resources[K]>[] = [];
    const within = after.slice(0, -1);
    // With the one that the place is in.
    let from = [...within.slice(0, -1), (within.at(-1) ?? 0) - 1];
    for (let atOnce = PARENTS_AT_ONCE; ;) {
      const parents = await this.rows(parentKind, above.slice(0, -1), from, atOnce);
      const lists = await Promise.all(
        parents.map(({ entry, place }) => {
          const begin = isSame(place, within) ? own : 0;
          return this.#below(kind, { name: entry.name, place }, begin, limit - found.length);
        }),
      );
      const rows = lists.flat();
      found.push(...rows.slice(0, limit - found.length));
      const last = parents.at(-1);
      if (found.length === limit || parents.length < atOnce || last === undefined) return found;
      from = [...last.place];
      if (rows.length < atOnce) atOnce = Math.min(2 * atOnce, MOST_AT_ONCE);
    }
  }

  async #below<K extends Kind>(
    kind: K,
    parent: { readonly name: string; readonly place: Place },
    after: number,
    limit: number,
  ): Promise<Found<Resources[K]>[]> {
    const wait = this.#turns?.room();
    if (wait !== undefined) await wait;
    const rows = await this.#store.list(kind, parent.name, { after, limit });
    this.#turns?.spent(ROW_STEPS * (1 + rows.length));
    return rows.map((entry) => ({ entry, place: [...parent.place, entry.sequence] }));
  }
}

function isSame(one: Place, other: Place): boolean {
  return one.every((part, at) => part === other[at]);
}
