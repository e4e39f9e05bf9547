import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { connectedTo, objectsIn } from '../../cli/tests/support/command-line.ts';
import { SEGMENT_TOKEN, type SegmentService, startSegmentService } from '../../cli/tests/support/segment-service.ts';
import { writeKeyOf } from '../../cli/tests/support/segment-workspace.ts';
import { ROOT } from '../generate/root.ts';
import type { ImportFigures, ImportRun } from '../results/import-segment-page.ts';
import { bareEnvironment } from '../router/bare-environment.ts';
import { type RouterProcess, startRouterProcess } from '../router/router-process.ts';

const TOKEN = 'token-of-an-import-0123456789';
/** The import that is killed has told of this many steps of each source by then. */
const STEPS_BEFORE_KILL = 1.5;

/** An import as it is shown: what it told, step by step, and its report. */
interface Told {
  readonly run: ImportRun;
  readonly lines: readonly Readonly<Record<string, unknown>>[];
}

export async function measuredImports(sources: number, perMinute: number): Promise<ImportFigures> {
  await using opened = new AsyncDisposableStack();
  // Each router has a service of its own, so that they do not use up each other's minute.
  const place = async () => ({
    service: opened.use(await startSegmentService(sources, { perMinute })),
    router: await startRouter(opened),
  });
  const [whole, cut] = [await place(), await place()];
  const [[first, again], [killed, resumed]] = await Promise.all([
    inTurn(
      () => imported('whole', whole),
      () => imported('once more', whole),
    ),
    inTurn(
      () => imported('killed in the middle', cut, Math.round(sources * STEPS_BEFORE_KILL)),
      () => imported('started again after that', cut),
    ),
  ]);
  return {
    sources,
    perMinute,
    runs: [first, again, killed, resumed].map(({ run }) => run),
    carried: countsOf(first.lines.filter(isStep), ({ kind }) => String(kind).replaceAll('_', ' ')),
    reported: countsOf(
      first.lines.filter((line) => !isStep(line)),
      ({ text }) => causeOf(String(text)),
    ),
    keysKept: await keysKept(whole.router, sources),
    isSame: (await exported(whole.router)) === (await exported(cut.router)),
  };
}

async function inTurn(first: () => Promise<Told>, second: () => Promise<Told>): Promise<readonly [Told, Told]> {
  return [await first(), await second()];
}

async function startRouter(opened: AsyncDisposableStack): Promise<RouterProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-import-'));
  opened.defer(() => rmSync(folder, { recursive: true, force: true }));
  const flags = { port: '0', 'data-dir': folder, token: TOKEN, 'rate-limit': '0' };
  return opened.use(await startRouterProcess(flags));
}

/** The command, as a process of its own, to its end, or until it has told of so many steps. */
async function imported(
  name: string,
  { service, router }: { readonly service: SegmentService; readonly router: RouterProcess },
  killAfter = Number.POSITIVE_INFINITY,
): Promise<Told> {
  const [asked, refused, began] = [service.asked.length, service.refusedCount(), performance.now()];
  const env = bareEnvironment({ SEGMENT_TOKEN, WAYBILL_URL: router.url, WAYBILL_TOKEN: TOKEN });
  const command = ['cli/waybill.ts', 'import', 'segment', '--from', service.url, '--json'];
  const child = spawn(process.execPath, command, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'inherit'] });
  const closed = once(child, 'close');
  const told: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    told.push(line);
    if (told.length === killAfter) child.kill('SIGKILL');
  }
  await closed;
  const lines = objectsIn(told.join('\n'));
  const run = {
    name,
    seconds: Math.round((performance.now() - began) / 1_000),
    requests: service.asked.length - asked,
    refused: service.refusedCount() - refused,
    steps: lines.filter(isStep).length,
  };
  return { run, lines };
}

function isStep({ action }: Readonly<Record<string, unknown>>): boolean {
  return action !== 'note';
}

/** Without what is of one resource alone. */
function causeOf(text: string): string {
  const [cause = ''] = /^the service did not tell its [^:]*|^[^:]*/.exec(text) ?? [];
  return cause;
}

function countsOf<Line>(lines: readonly Line[], keyOf: (line: Line) => string): Record<string, number> {
  const groups = Map.groupBy(lines, keyOf);
  return Object.fromEntries([...groups].map(([key, same]) => [key, same.length]));
}

/** How many sources have the write key that they had there. */
async function keysKept({ url }: RouterProcess, sources: number): Promise<number> {
  const { stdout } = await connectedTo(url, TOKEN)('sources', 'list', '--json');
  const keys = new Map(objectsIn(stdout).map(({ name, write_keys: own }) => [String(name), String(own)]));
  const all = Array.from({ length: sources }, (_, index) => index);
  return all.filter((one) => keys.get(`workspaces/main/sources/source-${one}`) === writeKeyOf(one)).length;
}

/** All but its first line, which says where the schema is. */
async function exported({ url }: RouterProcess): Promise<string> {
  const { stdout } = await connectedTo(url, TOKEN)('export');
  return stdout.slice(stdout.indexOf('\n'));
}
