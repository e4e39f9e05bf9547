import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compiledLibrary } from '../../server/tests/support/c-library.ts';

const SOURCE = fileURLToPath(new URL('sleeping-machine.c', import.meta.url));

/** A machine for a process that sleeps with it, as when it is suspended: none of its timers counts that time. */
export class SleepingMachine implements Disposable {
  /** What the process needs in its environment. */
  readonly env: NodeJS.ProcessEnv;
  readonly #folder = mkdtempSync(join(tmpdir(), 'waybill-machine-'));
  readonly #file = join(this.#folder, 'slept');
  /** In nanoseconds. */
  readonly #slept = new BigInt64Array(1);

  constructor() {
    writeFileSync(this.#file, this.#slept);
    this.env = { LD_PRELOAD: compiledLibrary(SOURCE, this.#folder), SLEPT: this.#file };
  }

  /** It is about to wake up after so many milliseconds. */
  slept(ms: number): void {
    this.#slept[0] = (this.#slept[0] ?? 0n) + BigInt(Math.round(ms)) * 1_000_000n;
    // Others have mapped the file: it is written into, and not replaced.
    const file = openSync(this.#file, 'r+');
    writeSync(file, this.#slept);
    closeSync(file);
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
