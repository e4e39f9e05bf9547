/** So many connections stay open between requests. Each takes an open file, and some ten kilobytes with its origin. */
export const MOST_KEPT = 2_000;
/** So many times what is free, a workspace may keep. */
const TIMES_FREE = 4;

interface Origin {
  /** Connections. */
  open: number;
  /** Requests under way. */
  asking: number;
}

/** What a workspace has: its origins with a connection, or a request under way. */
interface Own {
  readonly origins: Map<string, Origin>;
  open: number;
}

/**
 * Which requests leave their connection open for the next one. A webhook may have any number of origins, and open files are shared
 * by all workspaces: beyond the most, or its own share, an origin keeps one connection where it has one, and a new one none (SAFE-1).
 */
export class KeptConnections {
  /** Told of a workspace whose last request and connection have ended. */
  onGone: (workspace: string) => void = () => {};
  readonly #most: number;
  readonly #workspaces = new Map<string, Own>();
  #open = 0;

  constructor(most = MOST_KEPT) {
    this.#most = most;
  }

  /** Open at present. */
  get open(): number {
    return this.#open;
  }

  /** A request begins; answers whether its connection stays open. */
  begin(workspace: string, origin: string): boolean {
    const { open, asking } = this.#count(workspace, origin, { asking: 1 });
    const own = this.#workspaces.get(workspace)?.open ?? 0;
    return own < TIMES_FREE * (this.#most - this.#open) || (open > 0 && asking === 1);
  }

  end(workspace: string, origin: string): void {
    this.#count(workspace, origin, { asking: -1 });
  }

  opened(workspace: string, origin: string): void {
    this.#count(workspace, origin, { open: 1 });
  }

  closed(workspace: string, origin: string): void {
    this.#count(workspace, origin, { open: -1 });
  }

  #count(workspace: string, name: string, { open = 0, asking = 0 }: Partial<Origin>): Origin {
    const own = this.#workspaces.get(workspace) ?? { origins: new Map<string, Origin>(), open: 0 };
    const origin = own.origins.get(name) ?? { open: 0, asking: 0 };
    origin.open += open;
    origin.asking += asking;
    own.open += open;
    this.#open += open;
    if (origin.open + origin.asking === 0) own.origins.delete(name);
    else own.origins.set(name, origin);
    if (own.origins.size > 0) this.#workspaces.set(workspace, own);
    else if (this.#workspaces.delete(workspace)) this.onGone(workspace);
    return origin;
  }
}
