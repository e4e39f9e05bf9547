import { type Heard, LEASE_MS, type Life, type Member, type Members, type News, NO_SHARE } from '../members.ts';
import type { Division, Peer, Statement, MemberReport } from '../members.ts';
import { NotAMember } from '../errors.ts';
import type { Operations } from '../verbs.ts';
import type { Rows, StoredDelivery, StoredMember } from './rows.ts';

/** A node, and the life that it believes to lead. */
export class Node {
  readonly name: string;
  readonly #rows: Rows;
  #epoch: number | undefined;

  constructor(name: string, rows: Rows) {
    this.name = name;
    this.#rows = rows;
  }

  begin(epoch: number): void {
    this.#epoch = epoch;
  }

  /** Undefined before it has joined, or once its life is over. */
  get life(): Life | undefined {
    if (this.#epoch === undefined) return undefined;
    const life = { node: this.name, epoch: this.#epoch };
    return this.#rows.isAlive(life) ? life : undefined;
  }

  /** Its life; throws when it leads none. */
  require(): Life {
    const { life } = this;
    if (life === undefined) throw new NotAMember(`${this.name} is no member of the storage, or not any more`);
    return life;
  }

  /** Whether it has joined once, and its life is over. */
  get isOver(): boolean {
    return this.#epoch !== undefined && this.life === undefined;
  }
}

export function memberOperations(rows: Rows, node: Node): Pick<Operations, keyof Members> {
  const { clock } = rows.options;
  return {
    join({ now, router = { name: node.name, version: '' } }) {
      const epoch = (rows.members.get(node.name)?.epoch ?? 0) + 1;
      const others = [...rows.members].some(([name, { until }]) => name !== node.name && until !== undefined);
      const startedAt = clock.steady();
      rows.members.set(node.name, { ...router, epoch, startedAt, until: startedAt + LEASE_MS, division: NO_SHARE });
      rows.news.delete(node.name);
      node.begin(epoch);
      const freed = freeHeldBy(rows, node.name, now);
      if (!others) setBack(rows, now);
      return { node: node.name, epoch, freed };
    },
    beat() {
      const { life } = node;
      if (life === undefined) return undefined;
      const now = clock.steady();
      rows.beat(life, now + LEASE_MS);
      return { members: lives(rows), leaseMs: LEASE_MS };
    },
    reap({ now }) {
      let freed = 0;
      for (const [name, { until }] of rows.members) {
        if (until !== undefined && until <= clock.steady()) freed += endLife(rows, name, now);
      }
      return freed;
    },
    members: () => living(rows, clock.steady()).flatMap(([name, member]) => shown(rows, name, member)),
    exchange: (told) => exchange(rows, node.require(), told),
  };
}

const NO_NEWS: News = { waits: [], circuits: [] };

function exchange(rows: Rows, life: Life, { waits, circuits, division }: MemberReport): Heard {
  const { node } = life;
  rows.divide(life, division);
  const members = lives(rows);
  const alive = members.map((peer) => peer.node);
  // Nearly always there is nothing to tell.
  if (waits.length > 0 || circuits.length > 0)
    for (const other of alive) leaveNews(rows, other, { waits, circuits: other === node ? [] : circuits });
  const left = rows.news.get(node) ?? NO_NEWS;
  rows.news.delete(node);
  return { ...left, waits: [...left.waits, ...waits.filter(({ to }) => !alive.includes(to))], members };
}

/** For a member that asks for it later. */
function leaveNews({ news }: Rows, to: string, { waits, circuits }: News): void {
  const known = news.get(to) ?? NO_NEWS;
  const own = waits.filter((wait) => wait.to === to);
  news.set(to, { waits: [...known.waits, ...own], circuits: [...known.circuits, ...circuits] });
}

function lives(rows: Rows): Peer[] {
  const all = living(rows, rows.options.clock.steady());
  return all.map(([node, { epoch, division }]) => ({ node, epoch, division: dividedBy(division) }));
}

/** What other members hear of a statement. */
function dividedBy({ openCircuits: _own, parked: _parked, ...division }: Statement): Division {
  return division;
}

/** In the order of their names. */
function living({ members }: Rows, now: number): [name: string, member: StoredMember][] {
  const all = [...members].filter(([, { until = now }]) => until > now);
  return all.toSorted(([a], [b]) => (a < b ? -1 : 1));
}

function shown(rows: Rows, node: string, { division, until, ...member }: StoredMember): Member[] {
  const held = rows.all().filter((row) => row.state === 'trying' && row.holder?.node === node).length;
  const { openCircuits, parked } = division;
  if (until === undefined) return [];
  const told = { ...(openCircuits && { openCircuits }), ...(parked && { parked }) };
  return [{ node, ...member, lastBeatAt: until - LEASE_MS, held, ...told }];
}

/** Ends the life of a node; answers how many deliveries that freed. */
export function endLife(rows: Rows, name: string, now: number): number {
  const member = rows.members.get(name);
  if (member === undefined) return 0;
  rows.news.delete(name);
  // Its number stays, so that the next is higher.
  rows.members.set(name, { ...member, until: undefined });
  return freeHeldBy(rows, name, now);
}

/** Their rounds stay counted: they may have been sent. */
function freeHeldBy(rows: Rows, name: string, now: number): number {
  const held = rows.all().filter(({ state, holder }) => state === 'trying' && holder?.node === name);
  for (const delivery of held) rows.change(delivery, { ...begunAgain(delivery, now), state: 'pending' });
  return held.length;
}

/** A clock that has gone back lets nothing wait for it (HOOK-21). */
function setBack(rows: Rows, now: number): void {
  const later = rows.all().filter(({ state, setAt, dueAt }) => state === 'pending' && setAt > now && dueAt > now);
  for (const delivery of later) rows.change(delivery, begunAgain(delivery, now));
  for (const [id, at] of rows.seen) if (at > now) rows.seen.set(id, now);
}

function begunAgain({ message, setAt }: StoredDelivery, now: number): Partial<StoredDelivery> {
  const receivedAt = message.receivedAt - Math.max(0, setAt - now);
  return { dueAt: now, setAt: now, message: { ...message, receivedAt } };
}
