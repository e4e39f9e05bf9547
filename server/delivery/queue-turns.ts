import type { Queue, Workspace } from './scheduler.ts';

/** In each turn comes one of each class, in this order. */
const CLASSES = ['proven', 'other', 'trial'] as const;
export type TurnClass = (typeof CLASSES)[number];

/** Where something stands in a line; it stays the same, wherever that is. Or the head of a line, before its first and behind its last. */
class Link<Item> {
  readonly item: Item | undefined;
  #before: Link<Item> = this;
  #after: Link<Item> = this;

  constructor(item?: Item) {
    this.item = item;
  }

  get after(): Link<Item> {
    return this.#after;
  }

  get isAlone(): boolean {
    return this.#after === this;
  }

  leave(): void {
    this.#before.#after = this.#after;
    this.#after.#before = this.#before;
    this.#before = this.#after = this;
  }

  /** It stands nowhere so far. */
  standBefore(other: Link<Item>): void {
    this.#before = other.#before;
    this.#after = other;
    this.#before.#after = other.#before = this;
  }
}

/** The queues of a workspace that wait in one class, and the place of all of them among other workspaces. */
class Line {
  readonly workspace: Workspace;
  readonly head = new Link<Queue>();
  readonly turn: Link<Line> = new Link<Line>(this);

  constructor(workspace: Workspace) {
    this.workspace = workspace;
  }
}

type Lines = Readonly<Record<TurnClass, Line>>;

/** Where a queue stands, and in whose line; in none where it does not wait. */
interface QueuePlace {
  readonly place: Link<Queue>;
  readonly lines: Lines;
  line: TurnClass | undefined;
}

/**
 * Queues that wait for the same thing, in the order of their turns. The classes come in turn, those of proven destinations among
 * them: however many fail or hang, one that works has to wait for one of each other class, and no more. Within a class workspaces
 * come in turn: however many destinations one of them has, those of another wait for one of it. A queue comes and goes
 * with each event, so what it leaves behind must be nothing (`UnderWay`): places are linked, and stay.
 */
export class QueueTurns {
  readonly #classOf: (state: Queue['state']) => TurnClass;
  readonly #places = new Map<Queue, QueuePlace>();
  readonly #linesOf = new WeakMap<Workspace, Lines>();
  readonly #heads = { proven: new Link<Line>(), other: new Link<Line>(), trial: new Link<Line>() };
  /** The index of the class whose turn it is. */
  #next = 0;

  constructor(classOf: (state: Queue['state']) => TurnClass) {
    this.#classOf = classOf;
  }

  /** Where it waits already, it keeps its place; else it comes last. */
  place(queue: Queue, waits: boolean): void {
    const belongs = waits ? this.#classOf(queue.state) : undefined;
    const known = this.#places.get(queue);
    if (known?.line === belongs) return;
    const standing = known ?? { place: new Link(queue), lines: this.#lines(queue.workspace), line: undefined };
    if (known === undefined) this.#places.set(queue, standing);
    leaveLine(standing);
    standing.line = belongs;
    if (belongs === undefined) return;
    const { head, turn } = standing.lines[belongs];
    standing.place.standBefore(head);
    if (turn.isAlone) turn.standBefore(this.#heads[belongs]);
  }

  remove(queue: Queue): void {
    this.place(queue, false);
  }

  /** It is in memory no more. */
  forget(queue: Queue): void {
    this.remove(queue);
    this.#places.delete(queue);
  }

  /** Whether one waits of a workspace that has a turn. */
  has(one: TurnClass, hasTurn: (workspace: Workspace) => boolean = always): boolean {
    return this.#first(one, hasTurn) !== undefined;
  }

  /** Whose turn it is, which waits no more; undefined where none waits of the classes and workspaces that have a turn. */
  take(which: readonly TurnClass[], hasTurn: (workspace: Workspace) => boolean = always): Queue | undefined {
    for (let ahead = 0; ahead < CLASSES.length; ahead += 1) {
      const index = (this.#next + ahead) % CLASSES.length;
      const one = CLASSES[index];
      const line = one !== undefined && which.includes(one) ? this.#first(one, hasTurn) : undefined;
      const queue = line?.head.after.item;
      if (one === undefined || line === undefined || queue === undefined) continue;
      this.#next = index + 1;
      this.remove(queue);
      // Its others come behind those of all other workspaces.
      line.turn.leave();
      if (!line.head.isAlone) line.turn.standBefore(this.#heads[one]);
      return queue;
    }
    return undefined;
  }

  /** Few have no turn: each of those has many in flight. */
  #first(one: TurnClass, hasTurn: (workspace: Workspace) => boolean): Line | undefined {
    let turn = this.#heads[one].after;
    while (turn.item !== undefined && !hasTurn(turn.item.workspace)) turn = turn.after;
    return turn.item;
  }

  #lines(workspace: Workspace): Lines {
    const known = this.#linesOf.get(workspace);
    if (known !== undefined) return known;
    const lines = { proven: new Line(workspace), other: new Line(workspace), trial: new Line(workspace) };
    this.#linesOf.set(workspace, lines);
    return lines;
  }
}

function leaveLine({ place, lines, line }: QueuePlace): void {
  if (line === undefined) return;
  place.leave();
  const { head, turn } = lines[line];
  if (head.isAlone) turn.leave();
}

function always(): boolean {
  return true;
}
