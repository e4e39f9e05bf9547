import type { Circuit } from '../../delivery/circuit.ts';
import { type DestinationQueue, newQueue } from '../../delivery/destination-queue.ts';
import { Neighbors } from '../../delivery/neighbors.ts';
import type { QueueEvent } from '../../delivery/queue-events.ts';
import { Roles } from '../../delivery/roles.ts';
import { type Queue, Scheduler } from '../../delivery/scheduler.ts';
import { DEFAULT_POLICY as policy } from '../../model/policy.ts';
import type { Backlog, BacklogPage, PageRequest } from '../../storage/delivery-storage.ts';
import type { Heard, Peer, MemberReport } from '../../storage/members.ts';
import { type LogLine, recordingLog } from './engine.ts';

export const OPEN: Circuit = { state: 'open', probes: 2, probeAt: 7_000 };

export const peerOf = (node: string, division?: Peer['division'], epoch = 1): Peer =>
  division === undefined ? { node, epoch } : { node, epoch, division };

/** The router `a` among others: storage and members are the test's own, and its queues only take down what they are told. */
export class NeighborWorld {
  readonly time = { now: 100_000 };
  /** What storage knows of who lives, and answers next; an error: nothing. */
  members: Peer[];
  heard: Partial<Heard> | Error = {};
  backlog: Backlog[] | Error = [];
  /** How many of it are on a page. */
  pageSize = 1_000;
  freed = 0;
  /** What the others were told. */
  readonly told: MemberReport[] = [];
  /** By when others were looked for that live no more. */
  readonly reapedAt: number[] = [];
  /** How often storage was read. */
  readings = 0;
  readonly events: [destination: string, event: QueueEvent][] = [];
  readonly logged: LogLine[] = [];
  readonly roles = new Roles(policy);
  readonly scheduler = new Scheduler(policy, this.roles);
  readonly neighbors: Neighbors;

  constructor(...nodes: readonly string[]) {
    this.members = nodes.map((node) => peerOf(node));
    const tell = (queue: Queue, event: QueueEvent): void => void this.events.push([queue.destination, event]);
    const ports = {
      store: { backlog: (page: PageRequest) => this.#read(page) },
      members: {
        exchange: (told: MemberReport) => this.#exchange(told),
        reap: ({ now }: { readonly now: number }) => this.#reap(now),
      },
      clock: { steady: () => this.time.now, sleep: () => Promise.resolve() },
      log: recordingLog(this.logged),
      policy,
    };
    this.neighbors = new Neighbors(ports, { roles: this.roles, scheduler: this.scheduler, tell });
    this.neighbors.begin(peerOf('a'), this.members);
  }

  /** All others count with the same members as this router, and have these destinations over their shares. */
  agree(over: readonly string[] = []): void {
    const { among } = this.roles;
    this.members = this.members.map(({ node, epoch }) => ({ node, epoch, division: { among, over, owns: true } }));
  }

  /** A queue in this state. */
  put(destination: string, state: Partial<DestinationQueue>): Queue {
    const queue = this.scheduler.of(destination);
    this.scheduler.update(queue, { ...newQueue(policy), ...state });
    return queue;
  }

  /** Destinations whose queues a node owns. */
  ownedBy(node: string, count: number): string[] {
    const names = Array.from({ length: 20 * count }, (_, index) => `d${index}`);
    return names.filter((name) => this.roles.ownerOf(name) === node).slice(0, count);
  }

  /** What the others were told last. */
  get last(): MemberReport | undefined {
    return this.told.at(-1);
  }

  async #exchange(told: MemberReport): Promise<Heard> {
    this.told.push(told);
    if (this.heard instanceof Error) throw this.heard;
    return { waits: [], circuits: [], members: this.members, ...this.heard };
  }

  async #reap(now: number): Promise<number> {
    this.reapedAt.push(now);
    return this.freed;
  }

  async #read({ after = '0' }: PageRequest): Promise<BacklogPage> {
    if (after === '0') this.readings += 1;
    if (this.backlog instanceof Error) throw this.backlog;
    const end = Number(after) + this.pageSize;
    const next = end < this.backlog.length ? String(end) : undefined;
    return { queues: this.backlog.slice(Number(after), end), next };
  }
}
