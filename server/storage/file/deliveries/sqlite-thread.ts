import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { StoreUnavailable } from '../../config-store.ts';
import { OutcomeUnknown } from '../../errors.ts';
import { VERBS } from '../../verbs.ts';
import { type Call, type GroupResult, type LeftOut, type Opened, type SqliteOperations, WIPES } from './calls.ts';
import type { Aside, Proof, ToThread } from './serve.ts';

interface Waiting {
  readonly call: Call;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: StoreUnavailable | OutcomeUnknown) => void;
}

/** This end of the line to the thread; in tests another one may be at its end. */
export interface ThreadLine {
  postMessage(message: ToThread): void;
  on(event: 'message', listener: (message: GroupResult | Proof) => void): unknown;
  on(event: 'error', listener: (error: unknown) => void): unknown;
  on(event: 'exit', listener: () => void): unknown;
  once(event: 'exit', listener: () => void): unknown;
}

/** The file that runs as the thread. */
const THREAD = new URL(`./thread${extname(import.meta.url)}`, import.meta.url);

/** What one turn of the loop asks crosses to the thread together: each crossing wakes it. In a longer turn it waits for no more than this. */
const TOGETHER_MS = 1;
/** The longest that a patient call waits for company. */
const PATIENCE_MS = 10;

/** How a call crosses to the thread; as soon as this turn of the loop has ended where nothing is said. */
export interface Crossing {
  /** In a transaction of its own. */
  readonly alone?: true;
  /** Together with the next call that is not, or some milliseconds later: a commit of its own would cost more than the call. */
  readonly isPatient?: boolean;
}

/** What a thread keeps, as operators know it, and which of its operations need no disk to write to. */
export interface ThreadKind {
  readonly what: string;
  readonly reads: ReadonlySet<string>;
  /** Which write into the file beside SQLite: they overwrite what is free there. */
  readonly wipes: ReadonlySet<string>;
}

const DELIVERIES: ThreadKind = {
  what: 'delivery store',
  reads: new Set(Object.entries(VERBS).flatMap(([verb, kind]) => (kind === 'read' ? [verb] : []))),
  wipes: WIPES,
};

/** Starts the thread and waits until its file is open; rejects with why it cannot be. */
export function openSqliteThread(path: string, thread: URL = THREAD): Promise<SqliteThread> {
  return openThread(path, thread, DELIVERIES);
}

export async function openThread<Operations extends Operated<Operations>>(
  path: string,
  thread: URL,
  kind: ThreadKind,
): Promise<SqliteThread<Operations>> {
  const worker = new Worker(thread, { workerData: path });
  const opened = await new Promise<Opened>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
  if (!opened.opened) {
    await worker.terminate();
    throw new Error(`the ${kind.what} ${path} cannot be opened: ${opened.error}`);
  }
  return new SqliteThread(worker, kind);
}

/**
 * Calls to the thread, in order. While one commit is on its way, the calls that come meanwhile wait at the thread, and
 * share the next: the slower the disk, the more they are. Those of one turn of the loop cross to it together, with the patient ones
 * before them.
 */
export class SqliteThread<Operations extends Operated<Operations> = SqliteOperations> {
  readonly #worker: ThreadLine;
  readonly #kind: ThreadKind;
  /** Those who were not answered yet, in the order in which they asked. */
  readonly #waiting: Waiting[] = [];
  /** What was asked, and has not crossed yet … */
  #gathered: Call[] = [];
  /** … and since when somebody of it is in a hurry. */
  #since: number | undefined;
  /** Set while all of it is patient. */
  #patience: NodeJS.Timeout | undefined;
  /** Those who asked for something aside that is not done yet, in order. */
  readonly #aside: ((proof: Proof) => void)[] = [];
  /** Those who wait until the file is left alone no longer; undefined when it is not. */
  #frozen: (() => void)[] | undefined;
  /** Set once the thread has ended; every later call is refused with it. */
  #ended: StoreUnavailable | undefined;
  #onQuiet: (() => void) | undefined;
  /** How many groups of calls have failed. */
  #failures = 0;

  constructor(worker: ThreadLine, kind: ThreadKind = DELIVERIES) {
    this.#worker = worker;
    this.#kind = kind;
    worker.on('message', (message: GroupResult | Proof) => {
      if ('proven' in message) this.#aside.shift()?.(message);
      else this.#onResult(message);
    });
    worker.on('error', (error) => this.#onEnd(`the store's thread failed: ${String(error)}`));
    worker.on('exit', () => this.#onEnd('the store is closed'));
  }

  /** As `ask`, with the types of the operation. */
  call<Name extends keyof Operations & string>(
    name: Name,
    argument: Parameters<Operations[Name]>[0],
    how?: Crossing,
  ): Promise<ReturnType<Operations[Name]>> {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the thread answers what the operation returns
    return this.ask({ name, argument }, how) as Promise<ReturnType<Operations[Name]>>;
  }

  ask(call: Call, how?: Crossing): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#ended !== undefined) return reject(this.#ended);
      const isHeld = this.#frozen !== undefined && this.#kind.wipes.has(call.name);
      if (isHeld) this.#frozen?.push(() => resolve(this.ask(call, how)));
      else this.#send([{ call, resolve, reject }], how);
    });
  }

  get failures(): number {
    return this.#failures;
  }

  /** Writes something of its own; rejects with why it cannot, in words without a path. */
  async prove(): Promise<void> {
    const proof = await this.#askAside('prove');
    if (!proof.proven) throw new StoreUnavailable(`it cannot write: ${proof.error}`);
  }

  /** Leaves the file as it is after all that was asked before; answers its size. */
  async freeze(): Promise<number | undefined> {
    this.#frozen ??= [];
    const proof = await this.#askAside('freeze');
    if (!proof.proven) throw new StoreUnavailable(`the ${this.#kind.what} cannot be read as a whole: ${proof.error}`);
    return proof.bytes;
  }

  /** Where the log cannot be taken over now, a later commit does it. */
  async thaw(): Promise<void> {
    const thawed = this.#askAside('thaw');
    this.#askHeld();
    await thawed;
  }

  #askHeld(): void {
    const held = this.#frozen ?? [];
    this.#frozen = undefined;
    for (const ask of held) ask();
  }

  #askAside(aside: Aside): Promise<Proof> {
    return new Promise((resolve) => {
      if (this.#ended !== undefined) return resolve({ proven: false, error: this.#ended.message });
      this.#aside.push(resolve);
      this.#post(aside);
    });
  }

  /** Waits for what was asked, then ends the thread. */
  async close(): Promise<void> {
    if (this.#ended !== undefined) return;
    this.#cross();
    if (this.#waiting.length > 0) await new Promise<void>((resolve) => (this.#onQuiet = resolve));
    const ended = new Promise<void>((resolve) => this.#worker.once('exit', () => resolve()));
    this.#post('close');
    await ended;
  }

  #post(message: ToThread): void {
    this.#cross();
    this.#worker.postMessage(message);
  }

  #send(group: readonly Waiting[], { alone, isPatient = false }: Crossing = {}): void {
    this.#waiting.push(...group);
    const calls = group.map((waiting) => waiting.call);
    if (alone === true) return this.#post({ calls, alone });
    this.#gathered.push(...calls);
    if (isPatient) this.#patience ??= setTimeout(() => this.#cross(), PATIENCE_MS);
    else this.#crossSoon();
  }

  #crossSoon(): void {
    const now = performance.now();
    if (this.#since === undefined) setImmediate(() => this.#cross());
    this.#since ??= now;
    if (now - this.#since >= TOGETHER_MS) this.#cross();
  }

  #cross(): void {
    clearTimeout(this.#patience);
    [this.#patience, this.#since] = [undefined, undefined];
    if (this.#gathered.length === 0) return;
    const calls = this.#gathered;
    this.#gathered = [];
    this.#worker.postMessage({ calls } satisfies ToThread);
  }

  #onResult(result: GroupResult): void {
    if ('error' in result) this.#onFailure(this.#waiting.splice(0, result.calls), result.error);
    else {
      const settled = this.#waiting.splice(0, result.results.length);
      for (const [index, waiting] of settled.entries()) this.#settle(waiting, result.results[index]);
    }
    if (this.#waiting.length === 0) this.#onQuiet?.();
  }

  #settle({ resolve, reject }: Waiting, result: unknown): void {
    if (!isLeftOut(result)) return resolve(result);
    this.#failures += 1;
    reject(this.#cannotWrite(result.notStored));
  }

  #cannotWrite(reason: string): StoreUnavailable {
    return new StoreUnavailable(`the ${this.#kind.what} cannot write: ${reason}`);
  }

  #onFailure(settled: readonly Waiting[], reason: string): void {
    this.#failures += 1;
    const retried = this.#readsAmong(settled);
    if (retried.length > 0) this.#send(retried, { alone: true });
    const error = this.#cannotWrite(reason);
    for (const waiting of settled) if (!retried.includes(waiting)) waiting.reject(error);
  }

  #onEnd(reason: string): void {
    this.#ended ??= new StoreUnavailable(reason);
    this.#failures += 1;
    this.#askHeld();
    // What was under way may be on disk.
    const unknown = new OutcomeUnknown(`${reason}, and nobody knows what of it was stored`);
    for (const { call, reject } of this.#waiting.splice(0))
      reject(this.#kind.reads.has(call.name) ? this.#ended : unknown);
    for (const resolve of this.#aside.splice(0)) resolve({ proven: false, error: reason });
    this.#onQuiet?.();
  }

  /** What a full disk need not keep anybody from: reads that shared a transaction with a write are asked again, alone. */
  #readsAmong(group: readonly Waiting[]): Waiting[] {
    const reads = group.filter(({ call }) => this.#kind.reads.has(call.name));
    return reads.length === group.length ? [] : reads;
  }
}

/** Operations by their names, each of at most one argument. */
type Operated<Operations> = { readonly [Name in keyof Operations]: (argument: never) => unknown };

function isLeftOut(result: unknown): result is LeftOut {
  return typeof result === 'object' && result !== null && 'notStored' in result;
}
