/** As much of `node:stream` as a stream that is answered needs: what is pushed is heard. */
export class Readable {
  readonly #heard = new Map<string, (value?: unknown) => void>();
  readonly #early: unknown[] = [];

  static from(chunks: Iterable<unknown>): Readable {
    const readable = new Readable();
    for (const chunk of [...chunks, null]) readable.push(chunk);
    return readable;
  }

  on(event: 'data' | 'end' | 'error', hear: (value?: unknown) => void): this {
    this.#heard.set(event, hear);
    if (event === 'end') for (const chunk of this.#early.splice(0)) this.push(chunk);
    return this;
  }

  push(chunk: unknown): boolean {
    const hear = this.#heard.get(chunk === null ? 'end' : 'data');
    if (hear === undefined || !this.#heard.has('end')) this.#early.push(chunk);
    else hear(typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk);
    return true;
  }

  /** Nobody listens any more. What extends it has its end in a method of this name. */
  destroy(): void {
    // oxlint-disable-next-line eslint/no-underscore-dangle -- Node's name for it
    this._destroy(null, () => undefined);
  }

  _destroy(_error: Error | null, done: () => void): void {
    done();
  }
}
