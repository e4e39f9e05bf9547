import { DEFAULT_POLICY, type DeliveryPolicy } from '../../server/model/policy.ts';
import { lastTryAt, nextDueAt } from '../../server/delivery/schedule.ts';

/** The schedule of an endpoint that never answers in time, as a table: computed by the code that decides it (D-23). */
export function retryTable(): string {
  const policy = DEFAULT_POLICY;
  const earliest = roundsWith(policy, () => 0);
  const latest = roundsWith(policy, () => 1);
  const waits = latest.map((at, index) =>
    index === 0 ? '–' : `${text(shortest(policy, latest, index))} – ${text(at - (latest[index - 1] ?? 0))}`,
  );
  const groups = Map.groupBy(latest.keys(), (index) => waits[index] ?? '');
  const rows = [...groups].map(([wait, rounds]) => {
    const [first = 0, last = first] = [rounds[0], rounds.at(-1)];
    const names = first === last ? String(first + 1) : `${first + 1} – ${last + 1}`;
    return `| ${names} | ${wait} | ${text(earliest[first] ?? 0)} – ${text(latest[last] ?? 0)} |`;
  });
  return ['| round | wait before it | time since acceptance |', '|---|---|---|', ...rows].join('\n');
}

/** When each round starts, in milliseconds since acceptance, if every draw is `random`. */
function roundsWith(policy: DeliveryPolicy, random: () => number): number[] {
  const times = [0];
  for (;;) {
    const endedAt = times.at(-1) ?? 0;
    const due = nextDueAt(policy, { round: times.length, receivedAt: 0, endedAt, retryAfterMs: 0 }, random);
    if (due === undefined) return times;
    times.push(due);
  }
}

function shortest(policy: DeliveryPolicy, latest: readonly number[], index: number): number {
  const endedAt = latest[index - 1] ?? 0;
  const due = nextDueAt(policy, { round: index, receivedAt: 0, endedAt, retryAfterMs: 0 }, () => 0);
  return (due ?? lastTryAt(policy, 0)) - endedAt;
}

/** `1 h 20 min 10 s`. */
function text(ms: number): string {
  const seconds = Math.round(ms / 1000);
  const parts = [
    [Math.floor(seconds / 3600), 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ] as const;
  const shown = parts.filter(([amount]) => amount > 0).map(([amount, unit]) => `${amount} ${unit}`);
  return shown.length === 0 ? '0' : shown.join(' ');
}
