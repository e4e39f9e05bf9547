import type { Step } from '../fault-script/step.ts';
import { TLS_FAULTS } from '../tls/tls-fault.ts';
import { type BackEndName, PARITY, stepOf } from './vocabulary.ts';

interface Fault {
  readonly words: string;
  /** Whether a step shows it; of several faults the first counts. */
  readonly isIn: (step: Step) => boolean;
}

const EARLY = new Set<unknown>(['connect', 'upload']);
const LATE = new Set<unknown>(['headers', 'body', 'answer']);

/** The battery: what an endpoint can do to a sender, in groups that people know. */
const FAULTS: readonly Fault[] = [
  {
    words: 'name not found, connection refused, no connection in time',
    isIn: ({ unreachable }) => unreachable !== undefined,
  },
  { words: 'malformed answers', isIn: ({ malformed }) => malformed !== undefined },
  { words: 'interim answers (1xx), a few or a thousand', isIn: ({ interim }) => interim !== undefined },
  { words: 'reset or end before the request was read', isIn: ({ reset, close }) => EARLY.has(reset ?? close) },
  { words: 'reset or end after the request', isIn: ({ reset, close }) => (reset ?? close) === 'request' },
  { words: 'reset or end within or after the answer', isIn: ({ reset, close }) => LATE.has(reset ?? close) },
  { words: 'silence before the request was read', isIn: ({ silence }) => EARLY.has(silence) },
  { words: 'silence instead of an answer', isIn: ({ silence }) => silence === 'request' },
  { words: 'headers, then silence', isIn: ({ silence }) => silence === 'headers' },
  { words: 'half a body, then silence', isIn: ({ silence }) => silence === 'body' },
  { words: 'a dripped head', isIn: ({ dripHeaders }) => dripHeaders !== undefined },
  { words: 'a dripped body', isIn: ({ drip }) => drip !== undefined },
  { words: 'a head too large to read', isIn: ({ headerSize }) => headerSize !== undefined },
  { words: 'a huge body, or one without end', isIn: ({ size }) => size !== undefined },
  { words: 'a compressed body', isIn: ({ gzip }) => gzip !== undefined },
  { words: 'redirects', isIn: ({ to }) => to !== undefined },
  {
    words: '429 and 503 with `Retry-After`, in seconds and as a date',
    isIn: ({ retryAfter, retryAfterDate }) => (retryAfter ?? retryAfterDate) !== undefined,
  },
  { words: 'delays: fixed, uniform, log-normal', isIn: ({ delay }) => delay !== undefined },
  { words: 'answers by event type', isIn: ({ on }) => on !== undefined },
  { words: 'answers by chance, with a seed', isIn: ({ chance }) => chance !== undefined },
  { words: 'sequences', isIn: ({ times }) => times !== undefined },
  { words: 'headers and bodies of one’s own', isIn: ({ headers, body }) => (headers ?? body) !== undefined },
  { words: 'any status', isIn: ({ status }) => status !== undefined },
];

const COLUMNS = ['sockets', 'nock', 'msw'] as const satisfies readonly BackEndName[];

/** The battery table of docs/testbed/faults.md, from the rows that the parity suites play one by one. */
export function batteryTable(): string {
  const groups = Map.groupBy(PARITY, (row) => FAULTS.find(({ isIn }) => isIn(stepOf(row)))?.words ?? row.step);
  const rows = [...FAULTS].map(({ words }) => {
    const members = groups.get(words) ?? [];
    const cells = COLUMNS.map((name) =>
      cell(members.filter(({ outcomes }) => name in outcomes).length, members.length),
    );
    return `| ${words} | ${cells.join(' | ')} | ${cell(members.length, members.length)} |`;
  });
  const faults = TLS_FAULTS.filter((fault) => fault !== 'none');
  const tls = `| TLS: ${faults.join(', ')} | ${faults.length} | – | – | as a phase of an outage |`;
  return ['| fault | receiver (sockets) | nock | MSW | virtual time |', '|---|---|---|---|---|', ...rows, tls].join(
    '\n',
  );
}

/** Steps of the vocabulary that belong to no group: none, or the table would leave them out. */
export function ungrouped(): readonly string[] {
  return PARITY.filter((row) => !FAULTS.some(({ isIn }) => isIn(stepOf(row)))).map(({ step }) => step);
}

function cell(played: number, all: number): string {
  if (played === 0) return '–';
  return played === all ? String(all) : `${played} of ${all}`;
}
