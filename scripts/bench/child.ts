import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';

/** Starts a file beside this one as a process, which ends when it is let go. */
export function startChild(file: string, ...args: string[]): ChildProcess {
  return fork(fileURLToPath(new URL(file, import.meta.url)), args);
}

/** The next message of a child: what it sends is written in its own file. */
export async function answerOf<Answer>(child: ChildProcess): Promise<Answer> {
  const [answer]: Answer[] = await once(child, 'message');
  if (answer === undefined) throw new Error(`${child.spawnargs.join(' ')} sent an empty message`);
  return answer;
}

/** Where a child that is a server listens. */
export async function urlOf(child: ChildProcess): Promise<string> {
  const { address } = await answerOf<{ address: AddressInfo }>(child);
  return `http://127.0.0.1:${address.port}`;
}
