import pc from 'picocolors';
import { subjectText, typeText } from '../../testbed/command-line/event-text.ts';
import { fitted } from '../../testbed/command-line/text-width.ts';
import { answerText } from '../../testbed/command-line/turn-text.ts';
import type { Received } from '../../testbed/index.ts';

const startedAt = performance.now();

/** A line of the story, with the seconds since the demo began. */
export function tell(text: string): void {
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(`${pc.dim(`${seconds.padStart(5)} s`)}  ${text}`);
}

/** One delivery, as a receiver saw it. */
export function tellDelivery(receiver: string, request: Received): void {
  const { signature, turn, attempt } = request;
  const valid = signature.verdict === 'valid';
  const accepted = answerText(turn) === '200';
  const mark = valid && accepted ? pc.green('✓') : valid ? pc.yellow('↻') : pc.red('✗');
  const parts = [
    fitted(receiver, 4),
    pc.bold(fitted(typeText(request), 8)),
    fitted(subjectText(request), 33),
    signature.verdict.padEnd(5),
    accepted ? pc.green('200') : pc.yellow(answerText(turn)),
    ...(attempt > 1 ? [pc.dim(`try ${attempt}`)] : []),
  ];
  tell(`${mark} ${parts.join('  ')}`);
}

/** The small table at the end. */
export function tellTable(rows: Readonly<Record<string, number>>): void {
  const names = Object.keys(rows);
  const line = (cells: readonly string[]): string =>
    cells.map((cell, i) => cell.padStart(names[i]?.length ?? 0)).join('   ');
  console.log(`\n  ${pc.bold(line(names))}\n  ${line(Object.values(rows).map(String))}\n`);
}
