import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { lock } from '../../storage/file/deliveries/schema.ts';
import { freeSpaceOf } from '../../storage/file/free-space/free-space.ts';
import { newFolder } from '../support/delivery-world.ts';

const SECRET = 'somebody-who-is-gone ';

test('AUD-9: what is left behind a long value, in pages that were used for another one before, is overwritten', () => {
  const path = join(newFolder(), 'any.sqlite');
  const database = new DatabaseSync(path);
  const space = freeSpaceOf(database);
  onTestFinished(() => {
    database.close();
    space.close();
  });
  lock(database);
  database.exec('CREATE TABLE texts (id INTEGER PRIMARY KEY, text TEXT); CREATE INDEX texts_text ON texts (text)');
  const insert = database.prepare('INSERT INTO texts VALUES (?, ?)');
  for (let id = 0; id < 100; id += 1) insert.run(id, `${id} ${SECRET.repeat(1_000)}`);
  database.exec('BEGIN; DELETE FROM texts WHERE id < 90');
  const others = Array.from({ length: 60 }, (_one, id) => `${id} ${'other '.repeat(700 + id * 37)}`);
  for (const [id, text] of others.entries()) insert.run(id, text);
  database.exec('DELETE FROM texts WHERE id >= 90; COMMIT');
  space.wipe(1, space.pages());
  expect(readFileSync(path).includes(SECRET) || readFileSync(`${path}-wal`).includes(SECRET)).toBe(true);
  space.committed();
  expect(readFileSync(path).includes(SECRET) || readFileSync(`${path}-wal`).includes(SECRET)).toBe(false);
  expect(
    database
      .prepare('SELECT text FROM texts ORDER BY id')
      .all()
      .map(({ text }) => text),
  ).toEqual(others);
  expect(database.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
});
