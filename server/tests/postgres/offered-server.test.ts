import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { script } from '../../storage/postgres/connection/statement.ts';
import { describeWithPostgres, emptyPlace } from '../support/postgres-place.ts';
import { findPostgres } from '../support/postgres-server.ts';

describeWithPostgres('the server of the tests', () => {
  test('it is of the version whose programs the tests find', async () => {
    const said = execFileSync(join(findPostgres() ?? '', 'postgres'), ['--version'], { encoding: 'utf8' });
    const [, version = ''] = /PostgreSQL\) (\d+\.\d+)/.exec(said) ?? [];
    expect(version).not.toBe('');
    await using place = await emptyPlace();
    const [row] = await place.database.run<{ readonly server_version: string }>(script('SHOW server_version'));
    expect(row?.server_version.split(' ')[0]).toBe(version);
  });
});
