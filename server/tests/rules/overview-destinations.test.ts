import { expect, test } from 'vitest';
import { countedOf, MAX_COUNTED } from '../../resources/overview-destinations.ts';

const named = (count: number) => Array.from({ length: count }, (_, at) => `d${at}`);
const [circuit, queue] = [
  { destination: '', state: 'half-open', probes: 1 } as const,
  { destination: '', waiting: 1, nextDueAt: 0, oldestReceivedAt: 0 },
];

test('of more destinations than are counted, open circuits come first, then what lost the most, then what waits', () => {
  const all = named(MAX_COUNTED + 500);
  const queues = {
    circuits: new Map([
      ['d1400', circuit],
      ['of another workspace', circuit],
    ]),
    waiting: new Map([
      ['d1499', queue],
      ['d1400', queue],
    ]),
  };
  const lost = [
    { what: 'd1200', count: 3 },
    { what: 'd1300', count: 2 },
    { what: 'd1300', count: 2 },
    { what: 'deleted', count: 9 },
  ];
  const counted = countedOf(all, { queues, lost });
  expect(counted).toHaveLength(MAX_COUNTED);
  expect(counted.slice(0, 6)).toEqual(['d1400', 'd1300', 'd1200', 'd1499', 'd0', 'd1']);
});

test('as many as are counted are all counted, in their order', () => {
  const all = named(MAX_COUNTED);
  const queues = { circuits: new Map([['d7', circuit]]), waiting: new Map() };
  expect(countedOf(all, { queues, lost: [] })).toBe(all);
});
