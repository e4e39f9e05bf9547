import { webhooksConfig } from '../../client/config/index.ts';
import { destinationName, sourceName } from '../bench/names.ts';
import type { BenchRouter } from '../bench/processes/bench-router.ts';

/** Destinations of each kind, and how many of twenty batches one of them gets. */
const KINDS = [
  { kind: 'ok', count: 12, share: 1 },
  { kind: 'flaky', count: 4, share: 1 },
  { kind: 'ordered', count: 1, share: 4 },
] as const;

export interface Sources {
  /** One for each of twenty batches in turn. */
  readonly writeKeys: readonly string[];
  /** Of those twenty, which are for destinations that take everything at once. */
  readonly isPlain: readonly boolean[];
  /** The name of the destination whose events all go through the queue, as it keeps the order of each user. */
  readonly ordered: string;
}

/** Sources and their destinations: most take everything, some refuse a fifth once, and one keeps the order of each user. */
export async function makeSources({ config }: BenchRouter, receiver: string): Promise<Sources> {
  const [writeKeys, isPlain]: [string[], boolean[]] = [[], []];
  let ordered = '';
  const all = KINDS.flatMap(({ kind, count, share }) => Array.from({ length: count }, () => ({ kind, share })));
  for (const [index, { kind, share }] of all.entries()) {
    const { write_keys: made } = await config.sources.create({ name: sourceName(index) });
    const hook = `${receiver}/${kind === 'flaky' ? 'flaky' : 'ok'}/${index}`;
    const order = kind === 'ordered' ? ({ ordering: 'user' } as const) : {};
    const settings = webhooksConfig({ hooks: [{ hook }], sharedSecret: 's3cret', ...order });
    await config.destinations.create({ name: destinationName(index), enabled: true, config: settings });
    if (kind === 'ordered') ordered = destinationName(index);
    for (let turn = 0; turn < share; turn += 1) {
      writeKeys.push(made[0] ?? '');
      isPlain.push(kind === 'ok');
    }
  }
  return { writeKeys, isPlain, ordered };
}
