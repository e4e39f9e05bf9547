import type { Client } from 'undici';
import { type Place, UnderWay } from '../under-way.ts';

/** So many connections stay open between requests. Each takes an open file, and some ten kilobytes with its origin. */
export const MOST_KEPT = 2_000;
/** So many times what is free, a workspace may keep. */
const TIMES_FREE = 4;
/** How long a connection is used, however busy it is: a name may lead elsewhere meanwhile, and what it led to may go on answering. */
const USED_MS = 60_000;

/** Makes what opens a connection to an origin. */
export type NewClient = (origin: string) => Client;

interface Origin {
  readonly name: string;
  /** Open, and without a request; the last one that had one comes last. */
  readonly free: Connection[];
  open: number;
  /** Requests under way. */
  asking: number;
}

/** What a workspace has: its origins with a connection, or a request under way. */
interface Workspace {
  readonly name: string;
  readonly newClient: NewClient;
  readonly origins: Map<string, Origin>;
  open: number;
}

/** For one request at a time. */
export interface Connection {
  readonly client: Client;
  readonly workspace: Workspace;
  readonly origin: Origin;
  readonly place: Place<Client>;
  /** By the clock of `performance`; undefined where it is not open yet, or no more. */
  openedAt: number | undefined;
}

/**
 * The connections to webhooks. Each workspace has its own: what they cost is taken in its turn, and none waits behind a request of
 * another (SAFE-2). A webhook may have any number of origins, and open files are shared by all workspaces: beyond the most, or its own
 * share, an origin keeps one connection where it has one, and a new one none (SAFE-1).
 *
 * undici's Agent would have a pool for each origin: of an attempt that reaches nobody that was most of the cost.
 */
export class Connections {
  readonly #newClientOf: (workspace: string) => NewClient;
  readonly #most: number;
  readonly #workspaces = new Map<string, Workspace>();
  /** Of those that are open, or about to be. */
  readonly #clients = new UnderWay<Client>();
  #open = 0;

  constructor(newClientOf: (workspace: string) => NewClient, most = MOST_KEPT) {
    [this.#newClientOf, this.#most] = [newClientOf, most];
  }

  /** How many are open. */
  get open(): number {
    return this.#open;
  }

  /** For one request, which may be what opens it; to be released once that has ended. */
  take(workspace: string, name: string): Connection {
    const own = this.#workspaceOf(workspace);
    const origin = own.origins.get(name) ?? { name, free: [], open: 0, asking: 0 };
    own.origins.set(name, origin);
    origin.asking += 1;
    return this.#takeFree(origin) ?? this.#newOne(own, origin);
  }

  /** Whether one that was taken stays open for the next request. */
  stays({ workspace, origin }: Connection): boolean {
    const isWithin = workspace.open < TIMES_FREE * (this.#most - this.#open);
    return isWithin || (origin.open > 0 && origin.asking === 1);
  }

  release(connection: Connection): void {
    const { client, origin } = connection;
    const { connected, size } = client.stats;
    origin.asking -= 1;
    if (connected && size === 0) origin.free.push(connection);
    // Where it is about to open, the request that has ended is not to be sent on it.
    else this.#end(connection, size === 0);
    this.#forget(connection);
  }

  /** Ends all; nothing is to be taken any more. */
  async close(): Promise<void> {
    await Promise.all(Array.from(this.#clients, (client) => client.destroy()));
  }

  #workspaceOf(name: string): Workspace {
    const known = this.#workspaces.get(name);
    if (known !== undefined) return known;
    const own = { name, newClient: this.#newClientOf(name), origins: new Map<string, Origin>(), open: 0 };
    this.#workspaces.set(name, own);
    return own;
  }

  #newOne(workspace: Workspace, origin: Origin): Connection {
    const client = workspace.newClient(origin.name);
    const place = this.#clients.begin(client);
    const connection: Connection = { client, workspace, origin, place, openedAt: undefined };
    client.on('connect', () => this.#opened(connection)).on('disconnect', () => this.#closed(connection));
    return connection;
  }

  #takeFree({ free }: Origin): Connection | undefined {
    for (;;) {
      const connection = free.pop();
      if (connection?.openedAt === undefined || performance.now() - connection.openedAt < USED_MS) return connection;
      this.#end(connection);
    }
  }

  #end({ client, place }: Connection, isOver = false): void {
    this.#clients.end(place);
    if (!isOver) void client.destroy();
  }

  #opened(connection: Connection): void {
    connection.openedAt = performance.now();
    this.#count(connection, 1);
  }

  #closed(connection: Connection): void {
    const { free } = connection.origin;
    connection.openedAt = undefined;
    this.#count(connection, -1);
    const index = free.indexOf(connection);
    if (index >= 0) {
      free.splice(index, 1);
      this.#end(connection, true);
    }
    this.#forget(connection);
  }

  #count({ workspace, origin }: Connection, change: 1 | -1): void {
    origin.open += change;
    workspace.open += change;
    this.#open += change;
  }

  /** Of an origin, and a workspace, without a connection and a request nothing is kept. */
  #forget({ workspace, origin }: Connection): void {
    if (origin.open + origin.asking > 0) return;
    workspace.origins.delete(origin.name);
    if (workspace.origins.size === 0) this.#workspaces.delete(workspace.name);
  }
}
