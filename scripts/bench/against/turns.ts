import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { ROOT } from '../../generate/root.ts';
import type { Checkout } from './checkout.ts';
import { type Printed, printedIn, type Turn } from './comparison.ts';

/** What is run in both. */
export interface Runs {
  readonly benches: readonly string[];
  readonly turns: number;
  readonly size: number;
  readonly tell: (words: string) => void;
}

/**
 * The benches of another state of the code and of this one in turn (A B, B A, A B …), each by its own scripts: a machine that
 * changes its speed changes it for both, and neither is always the second.
 */
export async function inTurns({ folder, commit }: Checkout, { benches, turns, size, tell }: Runs): Promise<Turn[]> {
  const run = (where: string): Promise<Printed[]> => runBenches(where, [...benches, '--size', String(size)]);
  const taken: Turn[] = [];
  for (let turn = 1; turn <= turns; turn += 1) {
    tell(`turn ${turn} of ${turns}: ${commit} and this code`);
    const oursFirst = turn % 2 === 0;
    const first = await run(oursFirst ? ROOT : folder);
    const second = await run(oursFirst ? folder : ROOT);
    taken.push(oursFirst ? { other: second, ours: first } : { other: first, ours: second });
  }
  return taken;
}

async function runBenches(cwd: string, args: readonly string[]): Promise<Printed[]> {
  const bench = spawn('npm', ['run', '--silent', 'bench', '--', ...args, '--runs', '1', '--json'], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [written, said] = await Promise.all([text(bench.stdout), text(bench.stderr), once(bench, 'close')]);
  const figures = printedIn(written);
  if (figures.length === 0) throw new Error(`npm run bench -- ${args.join(' ')} in ${cwd} measured nothing:\n${said}`);
  return figures;
}
