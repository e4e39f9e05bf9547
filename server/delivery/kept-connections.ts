/** So many connections stay open between requests. Each takes an open file, and some ten kilobytes with its origin. */
export const MOST_KEPT = 2_000;

interface Origin {
  /** Connections. */
  open: number;
  /** Requests under way. */
  asking: number;
}

/**
 * Which requests leave their connection open for the next one. A webhook of one workspace may have any number of origins, and
 * open files are shared by all: beyond the most, an origin keeps one connection where it has one, and a new one none (SAFE-1).
 */
export class KeptConnections {
  readonly #most: number;
  /** Those that have a connection, or a request under way. */
  readonly #origins = new Map<string, Origin>();
  #open = 0;

  constructor(most = MOST_KEPT) {
    this.#most = most;
  }

  /** Open at present. */
  get open(): number {
    return this.#open;
  }

  /** A request begins; answers whether its connection stays open. */
  begin(origin: string): boolean {
    const { open, asking } = this.#count(origin, 'asking', 1);
    return this.#open < this.#most || (open > 0 && asking === 1);
  }

  end(origin: string): void {
    this.#count(origin, 'asking', -1);
  }

  opened(origin: string): void {
    this.#count(origin, 'open', 1);
    this.#open += 1;
  }

  closed(origin: string): void {
    this.#count(origin, 'open', -1);
    this.#open -= 1;
  }

  #count(name: string, what: keyof Origin, more: number): Origin {
    const origin = this.#origins.get(name) ?? { open: 0, asking: 0 };
    origin[what] += more;
    if (origin.open + origin.asking === 0) this.#origins.delete(name);
    else this.#origins.set(name, origin);
    return origin;
  }
}
