/** So many characters of lines wait for whoever reads them; beyond that they are dropped, and counted. */
const MAX_WAITING = 8 * 2 ** 20;
/** So long lines wait for others to leave with: each write costs as much as the making of some lines. */
const GATHER_MS = 20;

/** What a `Writable` is to a log; of the streams of Node, standard output alone goes on after an error. */
export interface LogStream {
  /** What it was given and could not hand on yet. */
  readonly writableLength: number;
  write(text: string, onEnd: (error?: Error | null) => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
}

/**
 * Lines on their way out of the process. Neither a reader that has stopped, nor a full disk under the file, holds up or
 * ends the router, or takes more memory than a bound: lines are dropped instead, and what has become of events stands
 * in the store. The lines of a moment leave together.
 */
export class LogOutput {
  readonly #stream: LogStream;
  readonly #onRecovered: (dropped: number) => void;
  readonly #soon: (flush: () => void) => unknown;
  #lines: string[] = [];
  #length = 0;
  #dropped = 0;
  /** How many were dropped since the reader last heard of it. */
  #untold = 0;
  /** The end of what failed may have been written: the next text begins a new line. */
  #isTorn = false;

  /** `onRecovered` is called once lines get through again, with how many had to be dropped. */
  constructor(
    stream: LogStream,
    onRecovered: (dropped: number) => void,
    soon: (flush: () => void) => unknown = (flush) => setTimeout(flush, GATHER_MS),
  ) {
    [this.#stream, this.#onRecovered, this.#soon] = [stream, onRecovered, soon];
    // Every write hears of its own end.
    stream.on('error', () => undefined);
  }

  /** Lines that were dropped since the start. */
  get dropped(): number {
    return this.#dropped;
  }

  write(line: string): void {
    if (this.#length + this.#stream.writableLength > MAX_WAITING) return this.#drop(1);
    if (this.#lines.push(line) === 1) this.#soon(() => this.flush());
    this.#length += line.length;
  }

  /** Hands on what waits. To be called when the process exits; otherwise it happens by itself. */
  flush(): void {
    const lines = this.#lines;
    if (lines.length === 0) return;
    this.#lines = [];
    this.#length = 0;
    const text = this.#isTorn ? `\n${lines.join('')}` : lines.join('');
    this.#isTorn = false;
    this.#stream.write(text, (error) => this.#onEnd(lines.length, error));
  }

  /** Resolves when everything has left the process, or after `limitMs`: a reader may never come back. */
  async drained(limitMs: number): Promise<void> {
    this.flush();
    const written = Promise.withResolvers<void>();
    const timer = setTimeout(written.resolve, limitMs);
    this.#stream.write('', () => written.resolve());
    await written.promise;
    clearTimeout(timer);
  }

  #onEnd(lines: number, error: Error | null | undefined): void {
    if (error !== null && error !== undefined) {
      this.#isTorn = true;
      this.#drop(lines);
    } else if (this.#untold > 0 && this.#stream.writableLength === 0) {
      this.#onRecovered(this.#untold);
      this.#untold = 0;
    }
  }

  #drop(lines: number): void {
    this.#dropped += lines;
    this.#untold += lines;
  }
}
