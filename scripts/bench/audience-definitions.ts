import { setTimeout as wait } from 'node:timers/promises';
import type { AudienceDefinition } from '../../client/config/computations.ts';
import type { BenchRouter } from './processes/bench-router.ts';

const MAIN = 'workspaces/main';
const BETWEEN_LOOKS_MS = 500;

/** Audiences, until their first runs are over; answers their names. */
export async function defineAudiences(
  { config }: BenchRouter,
  definitions: readonly AudienceDefinition[],
): Promise<readonly string[]> {
  const names: string[] = [];
  for (const [index, definition] of definitions.entries()) {
    const made = await config.audiences.create(MAIN, { display_name: `Audience ${index}`, definition });
    names.push(made.name);
  }
  for await (const one of config.audiences.list(MAIN)) {
    while ((await config.audiences.get(one.name)).state !== 'LIVE') await wait(BETWEEN_LOOKS_MS);
  }
  return names;
}

/** So many definitions, each of three of these conditions that follow each other. */
export function inThrees(
  count: number,
  conditions: readonly AudienceDefinition[],
  how: 'all' | 'any',
): AudienceDefinition[] {
  return Array.from({ length: count }, (_one, audience) => {
    const three = [0, 1, 2].flatMap((at) => conditions[(audience * 3 + at) % conditions.length] ?? []);
    return how === 'all' ? { all: three } : { any: three };
  });
}

/** Computes audiences now, each once, until all of these runs are over: what was caught before is folded then. */
export async function computeNow({ config }: BenchRouter, names: readonly string[]): Promise<void> {
  const begun = await Promise.all(
    names.map(async (name) => ({ name, sync: (await config.audiences.sync(name)).name })),
  );
  for (const { name, sync } of begun) while (!(await isOver(name, sync))) await wait(BETWEEN_LOOKS_MS);

  async function isOver(name: string, wanted: string): Promise<boolean> {
    for await (const sync of config.audiences.syncs(name)) if (sync.name === wanted) return sync.state === 'DONE';
    return false;
  }
}
