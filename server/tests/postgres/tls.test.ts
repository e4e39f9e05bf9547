import { afterAll, beforeAll, expect, test } from 'vitest';
import { createIdentity } from '../../../testbed/tls/certificate.ts';
import { readAddress } from '../../storage/postgres/connection/address.ts';
import { openDatabase } from '../../storage/postgres/connection/database.ts';
import { reads, script } from '../../storage/postgres/connection/statement.ts';
import { describeWithPostgres } from '../support/postgres-place.ts';
import { type PostgresServer, startPostgres } from '../support/postgres-server.ts';

const PASSWORD = 'pass@word/of:mine';
const ENCRYPTED = reads('encrypted', 'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()');

describeWithPostgres('a connection over TLS', () => {
  let server: PostgresServer;

  beforeAll(async () => {
    server = await startPostgres({ tcp: true });
    const valid = { validFrom: Date.now() - 86_400_000, validTo: Date.now() + 86_400_000 };
    const issuer = createIdentity({ name: 'Test CA', authority: true, ...valid });
    const own = createIdentity({ name: 'db', hosts: ['127.0.0.1'], issuer, ...valid });
    server.writeFile('ca.pem', issuer.certificate);
    server.writeFile('other.pem', createIdentity({ name: 'Other', authority: true, ...valid }).certificate);
    const [ssl_cert_file, ssl_key_file] = [
      server.writeFile('server.pem', own.certificate),
      server.writeFile('server.key', own.key),
    ];
    server.configure({ ssl: 'on', ssl_cert_file, ssl_key_file });
    server.writeFile('data/pg_hba.conf', 'local all all trust\nhostssl all all 127.0.0.1/32 scram-sha-256\n');
    await server.reload();
    const database = openDatabase(readAddress(server.url()));
    await database.run(script(`ALTER ROLE ${server.user} PASSWORD '${PASSWORD}'`));
    await database.close();
  });
  afterAll(() => server.stop());

  const outcome = async (host: string, query: string, password: string | null = PASSWORD): Promise<unknown> => {
    const login = password === null ? server.user : `${server.user}:${encodeURIComponent(password)}`;
    const database = openDatabase(readAddress(`postgres://${login}@${host}:${server.port}/postgres?${query}`));
    try {
      return await database.run(ENCRYPTED).catch((error: unknown) => String(error));
    } finally {
      await database.close();
    }
  };

  test.each([
    ['127.0.0.1', 'sslmode=verify-full&sslrootcert=ca.pem'],
    ['127.0.0.1', 'sslmode=verify-ca&sslrootcert=ca.pem'],
    ['localhost', 'sslmode=verify-ca&sslrootcert=ca.pem'],
    ['localhost', 'sslmode=require'],
  ])('to %s with %s is encrypted', async (host, query) => {
    expect(await outcome(host, inFolder(query))).toEqual([{ ssl: true }]);
  });

  test.each([
    ['localhost', 'sslmode=verify-full&sslrootcert=ca.pem', "Hostname/IP does not match certificate's altnames"],
    ['127.0.0.1', 'sslmode=verify-full&sslrootcert=other.pem', 'name the file of its authority: sslrootcert=<file>'],
    ['127.0.0.1', 'sslmode=verify-full', 'unable to verify the first certificate'],
    ['127.0.0.1', 'sslmode=disable', 'no pg_hba.conf entry'],
  ])('to %s with %s is refused', async (host, query, reason) => {
    expect(await outcome(host, inFolder(query))).toContain(reason);
  });

  test('SAFE-3: with a wrong password is refused, and the password is in no error', async () => {
    const refusal = await outcome('127.0.0.1', 'sslmode=require', 'wrong-and-secret');
    expect(refusal).toContain('password authentication failed');
    expect(refusal).not.toContain('wrong-and-secret');
  });

  test('without a password says where one is given', async () => {
    expect(await outcome('127.0.0.1', 'sslmode=require', null)).toContain('give the password (in the URL, PGPASSWORD');
  });

  test('to a server without TLS says where each of them is told', async () => {
    server.configure({ ssl: 'off' });
    await server.reload();
    await expect
      .poll(() => outcome('127.0.0.1', 'sslmode=require'))
      .toContain('set ssl = on at the server, or sslmode=disable in the URL');
  });

  function inFolder(query: string): string {
    return query.replace('sslrootcert=', `sslrootcert=${server.folder}/`);
  }
});
