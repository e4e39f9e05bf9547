/**
 * The thread on which SQLite works, so that the event loop never waits for a disk. It is sent groups of calls, and runs
 * each group in one transaction: one sync to disk, however many calls share it.
 */
import type { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import type { Call, Group, GroupResult, Opened, Operations } from './calls.ts';
import { createOperations } from './operations.ts';
import { openDatabase } from './database.ts';

interface Port {
  postMessage(message: Opened | GroupResult): void;
  on(event: 'message', listener: (group: Group | 'close') => void): void;
  close(): void;
}

if (parentPort === null) throw new Error('this file runs as a thread of the delivery store');
serve(parentPort, String(workerData));

function serve(port: Port, path: string): void {
  let database: DatabaseSync;
  try {
    database = openDatabase(path);
  } catch (error) {
    port.postMessage({ opened: false, error: wordsOf(error) });
    return port.close();
  }
  const operations = createOperations(database);
  port.on('message', (group) => {
    if (group === 'close') {
      database.close();
      return port.close();
    }
    port.postMessage(run(database, operations, group.calls));
  });
  port.postMessage({ opened: true });
}

function run(database: DatabaseSync, operations: Operations, calls: readonly Call[]): GroupResult {
  try {
    database.exec('BEGIN IMMEDIATE');
    const results = calls.map((call) => perform(operations, call));
    database.exec('COMMIT');
    return { results };
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    operations.rolledBack();
    return { error: wordsOf(error) };
  }
}

/** The other side pairs each name with its argument; across the thread's edge the compiler cannot see it. */
function perform(operations: Operations, { name, argument }: Call): unknown {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
  const operation = operations[name] as (argument: unknown) => unknown;
  return operation(argument);
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
