/**
 * What a command opened: closed in the end, the last first, also when one of them cannot be. As `AsyncDisposableStack`, which
 * Node has from 24 on, and the commands run on older ones.
 */
export class Parts implements AsyncDisposable {
  readonly #opened: AsyncDisposable[] = [];

  use<Part extends AsyncDisposable>(part: Part): Part {
    this.#opened.push(part);
    return part;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const last = this.#opened.pop();
    if (last === undefined) return;
    try {
      await last[Symbol.asyncDispose]();
    } finally {
      await this[Symbol.asyncDispose]();
    }
  }
}
