interface Waiting {
  readonly size: number;
  readonly begin: () => void;
}

/** Of one holder. */
interface Share {
  underWay: number;
  readonly waiting: Waiting[];
}

/** So many holders are known before any is forgotten: what each event removes from a map costs more than it. */
const MANY = 1_000;

/**
 * Work of which each holder (a workspace) has only so much under way at once: more of it is begun while that is less than `most`. What is
 * beyond waits in its order, and nobody waits for what another holder has waiting.
 */
export class Shares {
  readonly #most: number;
  readonly #shares = new Map<string, Share>();

  constructor(most: number) {
    this.#most = most;
  }

  async run<Answer>(work: () => Promise<Answer>, holder: string, size: number): Promise<Answer> {
    const share = this.#shares.get(holder) ?? this.#begin(holder);
    if (share.underWay < this.#most) share.underWay += size;
    else await new Promise<void>((begin) => share.waiting.push({ size, begin }));
    try {
      return await work();
    } finally {
      share.underWay -= size;
      this.#goOn(share);
    }
  }

  #begin(holder: string): Share {
    if (this.#shares.size >= MANY)
      for (const [name, { underWay }] of this.#shares) if (underWay === 0) this.#shares.delete(name);
    const share: Share = { underWay: 0, waiting: [] };
    this.#shares.set(holder, share);
    return share;
  }

  #goOn(share: Share): void {
    while (share.underWay < this.#most) {
      const next = share.waiting.shift();
      if (next === undefined) return;
      share.underWay += next.size;
      next.begin();
    }
  }
}
