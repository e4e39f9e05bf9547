import { type Bench, repeat, type Wish } from './bench.ts';
import { figuresOf } from './figures.ts';
import type { BenchRouter } from './processes/bench-router.ts';
import { costsOf, startSubject, turnsOf } from './subjects.ts';

interface Costs {
  readonly none: number;
  readonly noneToo: number;
  readonly limited: number;
}

/** What it costs to hold a workspace to a quota that it never reaches, in processor time. */
export const quota: Bench = {
  name: 'quota',
  about: 'processor time of an event, from its request to its webhook, with a quota and without',
  runs: 3,
  isStandard: false,
  measure: async (wish) => {
    const runs = await repeat(wish, 'quota', () => measure(wish));
    return figuresOf(runs, [
      ['processor time with a quota, against none', '', (run) => run.limited / without(run), { atMost: 1.02 }],
      ['without, against the same again', '', ({ none, noneToo }) => none / noneToo],
      ['processor time of an event without', 'µs', without],
    ]);
  },
};

function without({ none, noneToo }: Costs): number {
  return (none + noneToo) / 2;
}

async function measure(wish: Wish): Promise<Costs> {
  const turns = turnsOf(wish);
  await using opened = new AsyncDisposableStack();
  const most = turns.warmUp + turns.events;
  const plain = await startSubject(opened, { most });
  const limited = await startSubject(opened, { most, setUp: limit });
  const plainToo = await startSubject(opened, { most });
  const [none = 0, held = 0, noneToo = 0] = await costsOf([plain, limited, plainToo], turns);
  return { none, noneToo, limited: held };
}

/** Both limits, so that both are looked at. */
function limit({ config }: BenchRouter): Promise<unknown> {
  return config.quotas.update('workspaces/main/quota', { events_per_second: 1_000_000, events_per_day: 1_000_000_000 });
}
