import { Worker } from 'node:worker_threads';
import { StoreUnavailable } from '../../ports/config-store.ts';
import type { Call, Group, GroupResult, Opened, OperationName, Operations } from './calls.ts';

type Argument<Name extends OperationName> = Parameters<Operations[Name]>[0];

interface Waiting {
  readonly call: Call;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: StoreUnavailable) => void;
}

/** Starts the thread and waits until its file is open; rejects with why it cannot be. */
export async function openSqliteThread(path: string): Promise<SqliteThread> {
  const worker = new Worker(new URL('./thread.ts', import.meta.url), { workerData: path });
  const opened = await new Promise<Opened>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
  if (!opened.opened) {
    await worker.terminate();
    throw new Error(`the delivery store ${path} cannot be opened: ${opened.error}`);
  }
  return new SqliteThread(worker);
}

/**
 * Calls to the thread, in order. While one group of calls is being committed, those that come meanwhile gather, and go
 * together as the next group: the slower the disk, the larger the groups.
 */
export class SqliteThread {
  readonly #worker: Worker;
  #gathering: Waiting[] = [];
  /** The group that the thread is working on; empty when it is idle. */
  #underWay: Waiting[] = [];
  /** Set once the thread has ended; every later call is refused with it. */
  #ended: StoreUnavailable | undefined;
  #onQuiet: (() => void) | undefined;

  constructor(worker: Worker) {
    this.#worker = worker;
    worker.on('message', (result: GroupResult) => this.#onResult(result));
    worker.on('error', (error) => this.#onEnd(`the store's thread failed: ${String(error)}`));
    worker.on('exit', () => this.#onEnd('the store is closed'));
  }

  call<Name extends OperationName>(name: Name, argument: Argument<Name>): Promise<ReturnType<Operations[Name]>> {
    return new Promise((resolve, reject) => {
      if (this.#ended !== undefined) return reject(this.#ended);
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the thread answers what the operation returns
      const onResult = (result: unknown): void => resolve(result as ReturnType<Operations[Name]>);
      this.#gathering.push({ call: { name, argument }, resolve: onResult, reject });
      if (this.#underWay.length === 0) this.#send();
    });
  }

  /** Waits for what was asked, then ends the thread. */
  async close(): Promise<void> {
    if (this.#ended !== undefined) return;
    if (this.#underWay.length > 0) await new Promise<void>((resolve) => (this.#onQuiet = resolve));
    const ended = new Promise<void>((resolve) => this.#worker.once('exit', () => resolve()));
    this.#worker.postMessage('close');
    await ended;
  }

  #send(): void {
    this.#underWay = this.#gathering;
    this.#gathering = [];
    const group: Group = { calls: this.#underWay.map((waiting) => waiting.call) };
    this.#worker.postMessage(group);
  }

  #onResult(result: GroupResult): void {
    const settled = this.#underWay;
    this.#underWay = [];
    if (this.#gathering.length > 0) this.#send();
    if ('error' in result) {
      for (const { reject } of settled)
        reject(new StoreUnavailable(`the delivery store cannot write: ${result.error}`));
    } else {
      for (const [index, { resolve }] of settled.entries()) resolve(result.results[index]);
    }
    if (this.#underWay.length === 0) this.#onQuiet?.();
  }

  #onEnd(reason: string): void {
    this.#ended ??= new StoreUnavailable(reason);
    for (const { reject } of [...this.#underWay, ...this.#gathering]) reject(this.#ended);
    this.#underWay = [];
    this.#gathering = [];
    this.#onQuiet?.();
  }
}
