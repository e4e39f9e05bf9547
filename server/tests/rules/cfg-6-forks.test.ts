import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toEntry } from '../../storage/resources/stored-entry.ts';
import { emptyState, Table } from '../../storage/resources/tables.ts';
import type { Resources } from '../../model/resources.ts';
import type { Entry } from '../../storage/config-store.ts';
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
  further.removeAll([source('main', 'a').name]);
  expect([first, fork, further].map(slugsIn)).toEqual(['a of-first', 'a of-fork', '']);
  const last = new Table(fork);
  fork.removeAll([source('main', 'a').name]);
  expect([fork, last].map(slugsIn)).toEqual(['of-fork', 'a of-fork']);
});

type Token = Resources['access-tokens'];

interface Model {
  readonly table: Table<Token>;
  readonly rows: Map<string, Entry<Token>>;
}

function token(sequence: number, slug: string, workspace: string): Entry<Token> {
  const named = { name: `access-tokens/${slug}`, description: 'x'.repeat(sequence), hash: slug, create_time: '' };
  return toEntry<Token>(sequence, { ...named, scopes: 'workspace', workspace_names: [workspace] });
}

function shown({ table }: Model) {
  const lengths = [table.length, table.lengthOf('a'), table.lengthOf('b')];
  return { listed: table.children(''), all: new Set(table.all()), lengths };
}

function expected({ rows }: Model) {
  const all = [...rows.values()];
  const lengthOf = (entries: typeof all): number => entries.reduce((sum, { text }) => sum + text.length, 0);
  const own = (one: string) => all.filter(({ resource }) => resource.workspace_names.includes(one));
  const lengths = [all, own('a'), own('b')].map(lengthOf);
  return { listed: all.toSorted((one, other) => one.sequence - other.sequence), all: new Set(all), lengths };
}

const SLUGS = fc.nat(11).map(String);

test('CFG-6: whatever is put, removed and forked, each table has its own rows in their order, and knows how long they are', () => {
  const when = fc.constantFrom('known', 'later', 'earlier');
  const put = fc.record({ slug: SLUGS, when, workspace: fc.constantFrom('a', 'b') });
  const steps = fc.oneof(put, fc.record({ gone: fc.array(SLUGS, { maxLength: 6 }) }), fc.constant('fork' as const));
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(3), steps), { maxLength: 40 }), (history) => {
      const models: Model[] = [{ table: new Table(emptyState().tables['access-tokens']), rows: new Map() }];
      // Rows of the audit that stand beside a file are older than those in it, and are put after them.
      let [first, last] = [100, 100];
      for (const [chosen, step] of history) {
        const { table, rows } = models[chosen % models.length] ?? { table: new Table(), rows: new Map() };
        if (step === 'fork') models.push({ table: new Table(table), rows: new Map(rows) });
        else if ('gone' in step) {
          table.removeAll(step.gone.map((slug) => `access-tokens/${slug}`));
          for (const slug of step.gone) rows.delete(slug);
        } else {
          const known = rows.get(step.slug);
          const next = step.when === 'earlier' ? () => (first -= 1) : () => (last += 1);
          const sequence = known === undefined || step.when !== 'known' ? next() : known.sequence;
          const entry = token(sequence, step.slug, step.workspace);
          table.put(entry);
          rows.set(step.slug, entry);
        }
        for (const model of models) expect(shown(model)).toEqual(expected(model));
      }
    }),
  );
});
