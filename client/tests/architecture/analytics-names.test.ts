import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { POSITIONS } from '../../analytics/calls.ts';
import * as entry from '../../analytics/index.ts';
import { DEFAULTS } from '../../analytics/settings.ts';

interface Row {
  readonly python: string;
  readonly name: string;
  readonly kind: string;
  readonly note: string;
}

const PAGE = readFileSync(new URL('../../../docs/client/names.md', import.meta.url), 'utf8');

const camel = (name: string): string => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** From a heading of the page to what the rows below it name. */
const KINDS: Readonly<Record<string, string>> = {
  Exports: 'export',
  Settings: 'setting',
  Fields: 'field',
  Options: 'option',
};

const ROWS: readonly Row[] = PAGE.split(/^## /m).flatMap((section) =>
  Array.from(
    section.matchAll(/^- (`\w+`|—)(?: → `(\w+)`)?(?:: (.+))?$/gm),
    ([, python = '', name = '', note = '']) => ({
      python: python.replaceAll('`', ''),
      name: name || camel(python.replaceAll('`', '')),
      kind: KINDS[section.split('\n', 1)[0] ?? ''] ?? '',
      note,
    }),
  ),
);

const namesOf = (kind: string): string[] =>
  ROWS.filter((row) => row.kind === kind)
    .map((row) => row.name)
    .toSorted();

/** The operations, settings and options that the seed names (S 4.4), and no other source. */
const SEED: Readonly<Record<string, readonly string[]>> = {
  export: ['identify', 'track', 'page', 'screen', 'group', 'alias', 'flush', 'Client'],
  setting: ['write_key', 'debug', 'on_error', 'send', 'sync_mode'],
  field: ['user_id', 'traits', 'event', 'properties', 'category', 'name', 'group_id', 'previous_id', 'context'],
  option: [
    'debug',
    'send',
    'on_error',
    'max_queue_size',
    'upload_interval',
    'upload_size',
    'gzip',
    'sync_mode',
    'host',
  ],
};

test('LIB-14: the table names what the package exports, and nothing else', () => {
  const others = ['AnalyticsError', 'HOSTS', 'settings', 'systemClock'];
  expect([...namesOf('export'), ...others].toSorted()).toEqual(Object.keys(entry).toSorted());
});

test('LIB-1: the table names the calls of a client', () => {
  const client = new entry.Analytics('key', { send: false });
  const methods = namesOf('export').filter((name) => name !== 'Analytics');
  for (const name of methods) expect(typeof Reflect.get(client, name)).toBe('function');
  expect(methods).toEqual([...Object.keys(POSITIONS), 'flush', 'close'].toSorted());
});

test('LIB-1: the table names every positional field', () => {
  expect(namesOf('field')).toEqual(expect.arrayContaining(Object.values(POSITIONS).flat()));
});

test('LIB-5: the table names every option, with its default', () => {
  expect(namesOf('option')).toEqual(Object.keys(DEFAULTS).toSorted());
  const plain = Object.entries(DEFAULTS).filter(([, value]) => !['function', 'object'].includes(typeof value));
  const wanted = plain.map(([name, value]) => [
    name,
    value === undefined ? 'none' : JSON.stringify(value).replaceAll('"', ''),
  ]);
  const listed = new Map(ROWS.filter(({ kind }) => kind === 'option').map(({ name, note }) => [name, note]));
  expect(wanted.map(([name = '']) => [name, listed.get(name)?.replaceAll('`', '')])).toEqual(wanted);
});

test.each(Object.entries(SEED))('every %s that the seed names is in the table', (kind, names) => {
  const listed = ROWS.filter((row) => row.kind === kind).map((row) => row.python);
  expect(listed).toEqual(expect.arrayContaining([...names]));
});

test('names change from snake case to camel case, and units into the name', () => {
  const renamed = ROWS.filter(({ python, name }) => python !== '—' && camel(python) !== name);
  const pairs = new Set(renamed.map(({ python, name }) => `${python} ${name}`));
  expect(pairs).toEqual(
    new Set([
      'Client Analytics',
      'shutdown close',
      'timeout requestTimeoutMs',
      'max_total_backoff_duration maxTotalBackoffMs',
      'max_rate_limit_duration maxRateLimitMs',
      'thread maxInFlight',
    ]),
  );
});
