import type { DatabaseSync } from 'node:sqlite';
import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import {
  type Call,
  type Group,
  type GroupResult,
  type LeftOut,
  type Opened,
  type SqliteOperations,
  WIPES,
  type Witness,
} from './calls.ts';
import { wordsOfDisk } from '../full-disk.ts';
import { type FreeSpace, freeSpaceOf } from '../free-space/free-space.ts';
import { openDatabase } from './database.ts';
import { freeze, isFrozen, thaw } from './frozen.ts';
import { createOperations } from './operations.ts';
import { Refusals } from './refusals.ts';
import { SCHEMA_VERSION } from './schema.ts';
import { requireTakenOver } from './write-ahead-log.ts';

/** What is done outside of the transactions of calls: a write of its own is tried; the file is left alone, or not any more. */
export type Aside = 'prove' | 'freeze' | 'thaw';

/** To the thread: a group of calls, something aside, or `close`. */
export type ToThread = Group | Aside | 'close';

/** From the thread: whether what was asked aside took place; of a file that is left alone, its size. */
export type Proof =
  | { readonly proven: true; readonly bytes?: number }
  | { readonly proven: false; readonly error: string };

/** This end of the line to the other thread. */
export interface Port {
  postMessage(message: Opened | GroupResult | Proof): void;
  /** The next message that has come already, if any. */
  take(): ToThread | undefined;
  on(event: 'message', listener: (message: ToThread) => void): void;
  close(): void;
}

export function portOf(port: MessagePort): Port {
  return {
    postMessage: (message) => port.postMessage(message),
    take: () => {
      const waiting: { readonly message: ToThread } | undefined = receiveMessageOnPort(port);
      return waiting?.message;
    },
    on: (event, listener) => port.on(event, listener),
    close: () => port.close(),
  };
}

/** An open file, and what can be done with it. */
export interface Engine<Operations extends object = SqliteOperations> {
  readonly database: Pick<DatabaseSync, 'exec' | 'prepare' | 'isTransaction' | 'close'>;
  /** Where it is; without one, nobody asks for a proof. */
  readonly path?: string;
  /** The number that the file has. */
  readonly format: number;
  readonly operations: Operations;
  readonly witness: Witness;
  /** Closed after the database. What it is asked for it does behind the commit. */
  readonly space: Omit<FreeSpace, 'pages' | 'wipe'>;
  /** The operations that ask it. */
  readonly wipes?: ReadonlySet<string>;
  /** Without them, whatever can be written is. */
  readonly refusals?: Pick<Refusals, 'met' | 'of' | 'require'>;
}

export function openEngine(path: string): Engine {
  const database = openDatabase(path);
  const space = freeSpaceOf(database);
  const { bytes, room, ...operated } = createOperations(database, space);
  const refusals = new Refusals(room, bytes);
  return { database, path, space, wipes: WIPES, refusals, format: SCHEMA_VERSION, ...operated };
}

/** Opens the engine and answers what comes through the port, in order, until it is told to close. */
export function serve<Operations extends object>(port: Port, open: () => Engine<Operations>): void {
  let engine: Engine<Operations>;
  try {
    engine = open();
  } catch (error) {
    port.postMessage({ opened: false, error: wordsOfDisk(error) });
    return port.close();
  }
  port.on('message', (first) => {
    for (const task of tasksOf([first, ...taken(port)])) {
      if (task === 'close') {
        engine.database.close();
        engine.space.close();
        return port.close();
      }
      port.postMessage(typeof task === 'string' ? doAside(engine, task) : run(engine, task.calls));
    }
  });
  port.postMessage({ opened: true });
}

function* taken(port: Port): Generator<ToThread> {
  for (let next = port.take(); next !== undefined; next = port.take()) yield next;
}

/**
 * What has come while the last commit was on its way, in order; groups that follow each other become one. They are put
 * together here, as the loop that asks may be busy for longer than a commit takes.
 */
function tasksOf(messages: readonly ToThread[]): ToThread[] {
  const tasks: ToThread[] = [];
  let shared: Call[] | undefined;
  for (const message of messages) {
    if (typeof message === 'string' || message.alone === true) {
      tasks.push(message);
      shared = undefined;
    } else if (shared === undefined) {
      shared = [...message.calls];
      tasks.push({ calls: shared });
    } else shared.push(...message.calls);
  }
  return tasks;
}

/** One transaction, all or nothing. Whatever fails, the thread lives on, and the next group finds the file as it was. */
export function run(engine: Engine<object>, calls: readonly Call[]): GroupResult {
  const { database, operations, witness, space, refusals } = engine;
  try {
    requireNoTransaction(database);
    database.exec('BEGIN IMMEDIATE');
    const results = calls.map((call) => leftOut(engine, call) ?? perform(operations, call));
    witness.committing();
    database.exec('COMMIT');
    witness.committed();
    return { results: wiped(engine, calls, results) };
  } catch (error) {
    refusals?.met(error);
    const alsoFailed = rollBack(database);
    witness.rolledBack();
    space.rolledBack();
    return { error: [wordsOfDisk(error), ...alsoFailed].join('; '), calls: calls.length };
  }
}

/**
 * What is free is overwritten once all is stored. Where that fails, who asked for it is told, and asks again. All others have what they
 * stored: who heard that it is not would send again, never send what it took, and forget the retry of what it recorded.
 */
function wiped(
  { space, wipes, refusals }: Engine<object>,
  calls: readonly Call[],
  results: readonly unknown[],
): readonly unknown[] {
  try {
    space.committed();
    return results;
  } catch (error) {
    refusals?.met(error);
    space.rolledBack();
    const failed: LeftOut = { notStored: wordsOfDisk(error) };
    return results.map((result, index) => (wipes?.has(calls[index]?.name ?? '') === true ? failed : result));
  }
}

function leftOut({ refusals }: Engine<object>, call: Call): LeftOut | undefined {
  const refusal = refusals?.of(call);
  return refusal === undefined ? undefined : { notStored: wordsOfDisk(refusal) };
}

const ASIDES: Readonly<Record<Aside, (engine: Engine<object>) => { readonly bytes?: number }>> = {
  // At the end a write of one page that changes nothing, on the way that every commit takes: into the log, and synced.
  prove: ({ database, path, format, refusals }) => {
    refusals?.require();
    if (path !== undefined && !isFrozen(database)) requireTakenOver(database, path);
    database.exec(`PRAGMA user_version = ${format}`);
    return {};
  },
  freeze: ({ database }) => ({ bytes: freeze(database) }),
  thaw: ({ database }) => (thaw(database), {}),
};

function doAside(engine: Engine<object>, aside: Aside): Proof {
  const { database } = engine;
  try {
    requireNoTransaction(database);
    return { proven: true, ...ASIDES[aside](engine) };
  } catch (error) {
    rollBack(database);
    return { proven: false, error: wordsOfDisk(error) };
  }
}

/** One is left over when even rolling it back failed; nothing of it may join what comes next. */
function requireNoTransaction(database: Engine['database']): void {
  if (database.isTransaction) database.exec('ROLLBACK');
}

/** SQLite rolls back by itself what a full or broken disk ended. Answers why it could not be rolled back, if so. */
function rollBack(database: Engine['database']): string[] {
  try {
    requireNoTransaction(database);
    return [];
  } catch (error) {
    return [`and could not be rolled back: ${wordsOfDisk(error)}`];
  }
}

/** The other side pairs each name with its argument; across the thread's edge the compiler cannot see it. */
function perform(operations: object, { name, argument }: Call): unknown {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
  const operation = Reflect.get(operations, name) as (argument: unknown) => unknown;
  return operation(argument);
}
