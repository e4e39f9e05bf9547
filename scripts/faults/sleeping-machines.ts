import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compiledLibrary } from '../../server/tests/support/c-library.ts';

const SOURCE = fileURLToPath(new URL('sleeping-machine.c', import.meta.url));

/** Machines for processes that sleep with them, as when they are suspended: none of a process's timers counts that time. */
export class SleepingMachines implements Disposable {
  readonly #folder = mkdtempSync(join(tmpdir(), 'waybill-machines-'));
  readonly #library = compiledLibrary(SOURCE, this.#folder);
  /** How long each has slept, in nanoseconds. */
  readonly #slept = new Map<number, BigInt64Array>();

  /** What a process on this machine needs in its environment. */
  envOf(machine: number): NodeJS.ProcessEnv {
    this.#sleptOf(machine);
    return { LD_PRELOAD: this.#library, SLEPT: this.#fileOf(machine) };
  }

  /** It is about to wake up after so many milliseconds. */
  slept(machine: number, ms: number): void {
    const slept = this.#sleptOf(machine);
    slept[0] = (slept[0] ?? 0n) + BigInt(Math.round(ms)) * 1_000_000n;
    // Others have mapped the file: it is written into, and not replaced.
    const file = openSync(this.#fileOf(machine), 'r+');
    writeSync(file, slept);
    closeSync(file);
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #fileOf(machine: number): string {
    return join(this.#folder, `slept-${machine}`);
  }

  #sleptOf(machine: number): BigInt64Array {
    const known = this.#slept.get(machine);
    if (known !== undefined) return known;
    const none = new BigInt64Array(1);
    this.#slept.set(machine, none);
    writeFileSync(this.#fileOf(machine), none);
    return none;
  }
}
