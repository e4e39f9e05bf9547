import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { blocksOf, textOf } from '../../testbed/tests/support/doc-blocks.ts';
import { ROOT } from '../generate/root.ts';
import type { FirstStep } from '../results/first-steps-page.ts';

/** How each block of the section ends when it went well; where it is typed. */
const BLOCKS = [
  { begins: 'npm run build testbed', folder: 'waybill', well: /waybill-testbed-\S+\.tgz/ },
  { begins: 'npm init', folder: 'project', well: /added \d+ packages/ },
  { begins: 'cp node_modules', folder: 'project', well: /Tests .*2 passed/ },
  { begins: 'npx waybill-receiver', folder: 'project', well: /page +http:\/\/127\.0\.0\.1:\d+\/#token=/ },
] as const;

const LONGEST_MS = 900_000;

/** What is typed in the section for those who begin, in its order. Throws where a block is not known here, or is gone. */
export function firstBlocks(page = textOf('testbed.md')): readonly string[] {
  const section = /\n## First test\n([\s\S]*?)\n## /.exec(page)?.[1] ?? '';
  const texts = blocksOf('testbed.md', section).map(({ text }) => text.trim());
  const isKnown = texts.length === BLOCKS.length && BLOCKS.every(({ begins }, at) => texts[at]?.startsWith(begins));
  if (!isKnown) throw new Error(`docs/testbed.md has other first steps than scripts/first-steps: ${texts.join(' | ')}`);
  return texts;
}

/**
 * Types them in a clone of the last commit and in an empty folder beside it, with the caches of nobody. Rejects with the output of
 * the first that goes wrong.
 */
export async function typedSteps(tell: (step: FirstStep) => void): Promise<readonly FirstStep[]> {
  const place = mkdtempSync(join(tmpdir(), 'waybill-first-steps-'));
  try {
    mkdirSync(join(place, 'project'));
    const cloned = spawnSync('git', ['clone', '--quiet', '--no-hardlinks', ROOT, join(place, 'waybill')]);
    if (cloned.status !== 0) throw new Error(`git clone: ${cloned.stderr.toString()}`);
    const steps: FirstStep[] = [];
    for (const [at, text] of firstBlocks().entries()) {
      const step = await typed(text, place, BLOCKS[at] ?? BLOCKS[0]);
      tell(step);
      steps.push(step);
    }
    return steps;
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

/** Ends when it has said that all is well, or by itself. */
async function typed(text: string, place: string, block: (typeof BLOCKS)[number]): Promise<FirstStep> {
  const path = `${dirname(process.execPath)}:${process.env['PATH']}`;
  const env = { ...process.env, PATH: path, npm_config_cache: join(place, 'cache') };
  const startedAt = performance.now();
  // A group of its own: what a server leaves behind is ended with it.
  // Somebody else of this machine may have the port.
  const child = spawn('bash', ['-ec', text.replace('--port 9000', '--port 0')], {
    cwd: join(place, block.folder),
    env,
    detached: true,
  });
  let output = '';
  const over = new AbortController();
  const hear = (said: string): void => {
    output += said;
    if (block.well.test(stripped(output)) && block.begins === 'npx waybill-receiver') over.abort();
  };
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', hear);
  const ended = new Promise((resolve) => child.once('close', resolve));
  const timer = setTimeout(() => over.abort(), LONGEST_MS);
  await Promise.race([ended, new Promise((resolve) => over.signal.addEventListener('abort', resolve))]);
  const seconds = (performance.now() - startedAt) / 1_000;
  clearTimeout(timer);
  if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, 'SIGINT');
  await ended;
  if (!block.well.test(stripped(output))) throw new Error(`${text}\n${output.slice(-2_000)}`);
  return { typed: text, seconds: Number(seconds.toFixed(1)) };
}

function stripped(text: string): string {
  // oxlint-disable-next-line no-control-regex -- colors begin with one
  return text.replaceAll(/\u001b\[[\d;]*m/g, '');
}
