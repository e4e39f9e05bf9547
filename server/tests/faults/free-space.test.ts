import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { seededRandom } from '../../../testbed/simulation/seeded-random.ts';
import { lock } from '../../storage/file/deliveries/schema.ts';
import { type FreeSpace, freeSpaceOf } from '../../storage/file/free-space/free-space.ts';
import { newFolder } from '../support/delivery-world.ts';

const SECRET = 'somebody-who-is-gone ';

interface Wiped {
  readonly path: string;
  readonly database: DatabaseSync;
  readonly space: FreeSpace;
}

function newDatabase(): Wiped {
  const path = join(newFolder(), 'any.sqlite');
  const database = new DatabaseSync(path);
  const space = freeSpaceOf(database);
  onTestFinished(() => {
    database.close();
    space.close();
  });
  lock(database);
  return { path, database, space };
}

/** Whether it is in the file or its log, before and after all that is free is overwritten. */
function found({ path, space }: Wiped, secret: string): readonly [before: boolean, after: boolean] {
  const isThere = (): boolean => readFileSync(path).includes(secret) || readFileSync(`${path}-wal`).includes(secret);
  space.wipe(1, space.pages());
  const before = isThere();
  space.committed();
  return [before, isThere()];
}

test('AUD-9: what is left behind a long value, in pages that were used for another one before, is overwritten', () => {
  const wiped = newDatabase();
  const { database } = wiped;
  database.exec('CREATE TABLE texts (id INTEGER PRIMARY KEY, text TEXT); CREATE INDEX texts_text ON texts (text)');
  const insert = database.prepare('INSERT INTO texts VALUES (?, ?)');
  for (let id = 0; id < 100; id += 1) insert.run(id, `${id} ${SECRET.repeat(1_000)}`);
  database.exec('BEGIN; DELETE FROM texts WHERE id < 90');
  const others = Array.from({ length: 60 }, (_one, id) => `${id} ${'other '.repeat(700 + id * 37)}`);
  for (const [id, text] of others.entries()) insert.run(id, text);
  database.exec('DELETE FROM texts WHERE id >= 90; COMMIT');
  expect(found(wiped, SECRET)).toEqual([true, false]);
  expect(
    database
      .prepare('SELECT text FROM texts ORDER BY id')
      .all()
      .map(({ text }) => text),
  ).toEqual(others);
  expect(database.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
});

test.each([1, 2, 3])(
  'AUD-9: of what is gone no three letters are left between the rows that took its place (seed %i)',
  (seed) => {
    const random = seededRandom(seed);
    const wiped = newDatabase();
    const { database } = wiped;
    database.exec(`CREATE TABLE texts (id INTEGER PRIMARY KEY, text TEXT); CREATE INDEX texts_text ON texts (text);
      CREATE TABLE keys (text TEXT, id INTEGER, PRIMARY KEY (text, id)) WITHOUT ROWID`);
    const insert = [
      database.prepare('INSERT OR REPLACE INTO texts VALUES (?, ?)'),
      database.prepare('INSERT OR REPLACE INTO keys (id, text) VALUES (?, ?)'),
    ];
    const others = new Map<number, string>();
    const add = (id: number, letter: string): string => {
      const text = letter.repeat(1 + Math.floor(random() * 40));
      for (const one of insert) one.run(id, text);
      return text;
    };
    database.exec('BEGIN');
    for (let one = 0; one < 3_000; one += 1) add(Math.floor(random() * 1_000), '~');
    database.exec("DELETE FROM keys WHERE text LIKE '~%'; DELETE FROM texts WHERE id % 2 = 0");
    for (let id = 0; id < 1_000; id += 1) others.set(id, add(id, 'o'));
    database.exec("DELETE FROM keys WHERE text LIKE '~%'; COMMIT");
    expect(found(wiped, '~~~')).toEqual([true, false]);
    for (const table of ['texts', 'keys']) {
      const rows = database.prepare(`SELECT id, text FROM ${table} ORDER BY id`).all();
      expect(rows).toEqual(Array.from(others, ([id, text]) => ({ id, text })));
    }
    expect(database.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
  },
);
