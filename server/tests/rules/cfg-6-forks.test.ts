import { expect, test } from 'vitest';
import { emptyState, Table, toEntry } from '../../storage/resources/tables.ts';
import type { Resources } from '../../model/resources.ts';
import { source } from '../support/config-resources.ts';

const WORKSPACE = 'workspaces/main';

/** The slugs of all sources, by name and as a list shows them. */
function slugsIn(table: Table<Resources['sources']>): string {
  const listed = table.children(WORKSPACE).map(({ resource }) => resource);
  const all = Array.from(table.all(), ({ resource }) => resource);
  expect(listed.map(({ name }) => name).toSorted()).toEqual(all.map(({ name }) => name).toSorted());
  return listed.map(({ name }) => name.slice(name.lastIndexOf('/') + 1)).join(' ');
}

test('CFG-6: a fork of a table, the table itself, and a fork of the fork change apart', () => {
  const { sources: first } = emptyState().tables;
  first.put(toEntry(1, source('main', 'a')));
  const fork = new Table(first);
  const further = new Table(fork);
  fork.put(toEntry(2, source('main', 'of-fork')));
  first.put(toEntry(2, source('main', 'of-first')));
  further.remove(source('main', 'a').name);
  expect([first, fork, further].map(slugsIn)).toEqual(['a of-first', 'a of-fork', '']);
  const last = new Table(fork);
  fork.remove(source('main', 'a').name);
  expect([fork, last].map(slugsIn)).toEqual(['of-fork', 'a of-fork']);
});
