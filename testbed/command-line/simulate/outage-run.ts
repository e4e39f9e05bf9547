import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pc from 'picocolors';
import type { DeliveryPolicy } from '../../../server/model/policy.ts';
import { rehearse } from '../../outages/rehearse.ts';
import { fileFault } from '../../recording/file-fault.ts';
import { htmlReport } from '../../report/html-report.ts';
import type { Picture } from '../../report/picture.ts';
import { pictureOf } from '../../report/picture.ts';
import { svgPicture } from '../../report/svg-picture.ts';
import { terminalComparison } from '../../report/terminal-comparison.ts';
import { terminalPicture } from '../../report/terminal-picture.ts';
import { totalsOf } from '../../report/totals.ts';
import { brokenInvariants } from '../../simulation/invariants.ts';
import type { OutageOptions } from './options.ts';

/** A file has no width; this is what most windows can show. */
const PLAIN_WIDTH = 120;

/** The report cannot be written: the message names the file and the reason. */
export class ReportError extends Error {
  override readonly name = 'ReportError';
}

/** Runs an outage under one policy or two, shows it, and answers the exit code. */
export async function runOutage(options: OutageOptions): Promise<number> {
  const [label, otherLabel] = options.labels;
  const first = await run(options, options.policy, label);
  const other = options.against === undefined ? [] : [await run(options, options.against, otherLabel)];
  const runs = [first, ...other];
  const report = writeReport(options, [first.picture, ...other.map(({ picture }) => picture)]);
  if (options.json) for (const { picture, broken } of runs) console.log(JSON.stringify(figures(picture, broken)));
  else show(runs, report);
  return runs.every(({ broken }) => broken.length === 0) ? 0 : 1;
}

interface Run {
  readonly picture: Picture;
  readonly broken: readonly string[];
  readonly wallMs: number;
}

async function run(options: OutageOptions, policy: Partial<DeliveryPolicy> | undefined, label: string): Promise<Run> {
  const { outage, hours, destinations, webhooks, events, seed } = options;
  const startedAt = performance.now();
  const wish = { outage, hours, destinations, webhooks, seed, ...(events === undefined ? {} : { events }) };
  const rehearsal = await rehearse(policy === undefined ? wish : { ...wish, policy });
  const wallMs = performance.now() - startedAt;
  return { picture: pictureOf(rehearsal, label), broken: brokenInvariants(rehearsal.simulation), wallMs };
}

function show(runs: readonly Run[], report: string): void {
  const { stdout } = process;
  // A pipe has no isTTY at all, and undefined would mean that picocolors guesses.
  const colors = pc.createColors(stdout.isTTY ? pc.isColorSupported : false);
  const width = stdout.isTTY && stdout.columns > 0 ? stdout.columns : PLAIN_WIDTH;
  for (const { picture, broken, wallMs } of runs) {
    console.log(terminalPicture(picture, colors, width).join('\n'));
    for (const one of broken) console.log(colors.red(`broken         ${one}`));
    if (broken.length === 0) console.log(`invariants     ${colors.green('all hold')}`);
    console.log(colors.dim(`took           ${Math.round(wallMs)} ms\n`));
  }
  if (runs.length > 1)
    console.log(
      `${terminalComparison(
        runs.map(({ picture }) => picture),
        colors,
      ).join('\n')}\n`,
    );
  console.log(`report         ${report}`);
}

function writeReport(options: OutageOptions, pictures: readonly [Picture, ...Picture[]]): string {
  const file = options.report ?? join(tmpdir(), `waybill-${options.outage}.html`);
  try {
    writeFileSync(file, file.endsWith('.svg') ? svgPicture(pictures[0]) : htmlReport(pictures));
  } catch (error) {
    throw new ReportError(fileFault('write', file, error), { cause: error });
  }
  return file;
}

function figures(picture: Picture, broken: readonly string[]) {
  const { title, label, seed, policy } = picture;
  return {
    kind: 'rehearsal',
    outage: title,
    label,
    seed,
    policy,
    ...totalsOf(picture),
    broken,
    ok: broken.length === 0,
  };
}
