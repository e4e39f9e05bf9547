/** Those who wait, by holder; whose holder has gone on longest ago comes first. */
export class Waiting {
  readonly #byHolder = new Map<string, (() => void)[]>();

  get any(): boolean {
    return this.#byHolder.size > 0;
  }

  add(holder: string, begin: () => void): void {
    const own = this.#byHolder.get(holder);
    if (own === undefined) this.#byHolder.set(holder, [begin]);
    else own.push(begin);
  }

  take(): (() => void) | undefined {
    for (const [holder, own] of this.#byHolder) {
      const begin = own.shift();
      this.#byHolder.delete(holder);
      // Behind the others.
      if (own.length > 0) this.#byHolder.set(holder, own);
      return begin;
    }
    return undefined;
  }
}
