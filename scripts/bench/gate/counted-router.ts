import { execFileSync, spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RouterProcess, startRouterProcess } from '../../router/router-process.ts';

/**
 * What V8 compiles, and when, follows from the clock: interpreted code takes the same instructions each time. What costs more there
 * costs more compiled, as native code does in either.
 */
const INTERPRETED = '--no-opt --no-maglev --no-sparkplug --single-threaded';

/** A router whose instructions are counted. */
export interface CountedRouter extends AsyncDisposable {
  readonly url: string;
  /** Instructions of all its threads from the begin of the work to its end. */
  count(work: () => Promise<void>): Promise<number>;
}

/** Starts a router under callgrind, with all that it keeps in a folder. Throws where there is no callgrind. */
export async function startCountedRouter(
  folder: string,
  flags: Readonly<Record<string, string>>,
): Promise<CountedRouter> {
  if (spawnSync('valgrind', ['--version']).status !== 0) {
    throw new Error('--gate counts instructions with callgrind, and there is none: install the package valgrind');
  }
  const counts = join(folder, 'counts');
  const start = (by: string): Promise<RouterProcess> =>
    startRouterProcess(
      { port: '0', 'data-dir': join(folder, 'data'), 'rate-limit': '0', 'allow-networks': '127.0.0.0/8', ...flags },
      {
        through: ['sh', '-c', `exec ${by} "$0" ${INTERPRETED} "$@"`],
        env: { NODE_COMPILE_CACHE: join(folder, 'compiled') },
      },
    );
  // To compile the sources takes minutes under callgrind: what a start has compiled is read by the next.
  await (await start('')).stop();
  const router = await start(`valgrind --quiet --tool=callgrind --callgrind-out-file='${counts}'`);
  const control = (order: '--zero' | '--dump'): void => {
    execFileSync('callgrind_control', [order, String(router.pid)], { stdio: 'pipe' });
  };
  return {
    url: router.url,
    count: async (work) => {
      control('--zero');
      await work();
      control('--dump');
      return countIn(counts);
    },
    [Symbol.asyncDispose]: () => router[Symbol.asyncDispose](),
  };
}

/** Each dump is a file with the next number. */
function countIn(counts: string): number {
  const last = globSync(`${counts}.*`)
    .toSorted((one, other) => numberOf(one) - numberOf(other))
    .at(-1);
  const [, count] = /^totals: (\d+)$/m.exec(last === undefined ? '' : readFileSync(last, 'utf8')) ?? [];
  if (count === undefined) throw new Error(`callgrind wrote no count beside ${counts}`);
  return Number(count);
}

function numberOf(dump: string): number {
  return Number(dump.slice(dump.lastIndexOf('.') + 1));
}
