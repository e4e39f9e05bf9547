import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';

/** Starts a file beside this one as a process, which ends when it is let go. Messages may hold typed arrays. */
export function startChild(file: string, ...args: string[]): ChildProcess {
  return fork(fileURLToPath(new URL(file, import.meta.url)), args, { serialization: 'advanced' });
}

/** The next message of a child: what it sends is written in its own file. */
export async function answerOf<Answer>(child: ChildProcess): Promise<Answer> {
  const done = new AbortController();
  const message = once(child, 'message', { signal: done.signal });
  const exit = once(child, 'exit', { signal: done.signal }).then(() => []);
  const [answer]: Answer[] = await Promise.race([message, exit]).finally(() => done.abort());
  if (answer === undefined) throw new Error(`${child.spawnargs.join(' ')} ended with code ${child.exitCode}`);
  return answer;
}

/** Asks a child that answers each message with one of its own, one at a time. */
export function ask<Answer>(child: ChildProcess, question: object): Promise<Answer> {
  const answer = answerOf<Answer>(child);
  child.send(question);
  return answer;
}

/** Where a child that is a server listens. */
export async function urlOf(child: ChildProcess): Promise<string> {
  const { address } = await answerOf<{ address: AddressInfo }>(child);
  return `http://127.0.0.1:${address.port}`;
}
