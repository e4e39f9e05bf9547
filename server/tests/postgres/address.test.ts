import { expect, test } from 'vitest';
import { readAddress } from '../../storage/postgres/connection/address.ts';

const SERVER = 'postgres://router:s%40cret@db.example.com';

test('the URL of a database names its host, user, database and what else is chosen', () => {
  expect(readAddress(`${SERVER}:6432/events?schema=tenant_1&pool=20`)).toEqual({
    hosts: [{ host: 'db.example.com', port: 6_432, ssl: { host: 'db.example.com', rejectUnauthorized: true } }],
    user: 'router',
    password: 's@cret',
    database: 'events',
    schema: 'tenant_1',
    pool: 20,
    shown: 'postgres://db.example.com:6432/events',
  });
});

test('several hosts are tried in the order of the URL', () => {
  const { hosts, shown } = readAddress(
    'postgresql://router@a.example.com,[::1]:6432/events?target_session_attrs=read-write',
  );
  expect(hosts.map(({ host, port }) => [host, port])).toEqual([
    ['a.example.com', 5_432],
    ['::1', 6_432],
  ]);
  expect(shown).toBe('postgres://a.example.com:5432,::1:6432/events');
});

test.each([
  ['postgres://router@%2Frun%2Fpostgresql/events', '/run/postgresql'],
  ['postgres://router@/events?host=/run/postgresql', '/run/postgresql'],
])('the host of %s is the folder of a unix socket, which is not encrypted', (url, host) => {
  expect(readAddress(url).hosts).toEqual([{ host, port: 5_432, ssl: undefined }]);
});

test.each([
  ['postgres://a@db.example.com/b', { rejectUnauthorized: true }],
  ['postgres://a@db.example.com/b?sslmode=verify-full', { rejectUnauthorized: true }],
  [
    'postgres://a@db.example.com/b?sslmode=verify-ca',
    { rejectUnauthorized: true, checkServerIdentity: expect.any(Function) },
  ],
  ['postgres://a@db.example.com/b?sslmode=require', { rejectUnauthorized: false }],
  ['postgres://a@db.example.com/b?sslmode=disable', undefined],
  ['postgres://a@localhost/b', undefined],
  ['postgres://a@127.0.0.1/b', undefined],
  ['postgres://a@127.0.0.1/b?sslmode=verify-full', { rejectUnauthorized: true }],
])('TLS of %s', (url, ssl) => {
  const [host] = readAddress(url).hosts;
  expect(host?.ssl).toEqual(ssl === undefined ? undefined : { host: host?.host, ...ssl });
});

test.each([
  ['mysql://a:hidden@b/c', 'the storage must be of the form postgres://'],
  ['postgres://a:hidden@b/c#d', 'the storage must be of the form postgres://'],
  ['postgres://a:hidden@b', 'the storage names no database'],
  ['postgres://b/c', 'the storage names no user'],
  ['postgres://a:hidden@/c', 'the storage names no host'],
  ['postgres://a:hidden@b:0/c', 'the storage names the host "b:0"'],
  ['postgres://a:hidden@b:66000/c', 'the storage names the host "b:66000"'],
  ['postgres://a:hidden%@b/c', 'two hex digits'],
  ['postgres://a:hidden/x@b/c', 'the storage must be of the form postgres://'],
  ['postgres://a:hidden/x', 'the storage names no user'],
  ['postgres://a:hidden?x@b/c', 'the storage names no user'],
  ['postgres://a:hidden@b/c?ssl=true', 'unknown parameter ssl; known are sslmode,'],
  [
    'postgres://a:hidden@b/c?sslmode=prefer',
    'sslmode must be one of disable, require, verify-ca, verify-full, got "prefer"',
  ],
  ['postgres://a:hidden@b/c?sslrootcert=/no/such/file', '/no/such/file of the storage cannot be read'],
  ['postgres://a:hidden@b/c?pool=1', 'pool must be an integer from 2 to 1000, got "1"'],
  ['postgres://a:hidden@b/c?schema=Main', 'schema must be lower-case letters, digits and underscores'],
  ['postgres://a:hidden@b/c?schema=pg_x', 'schema must be'],
  ['postgres://a:hidden@b/c?target_session_attrs=any', 'target_session_attrs must be read-write, got "any"'],
])('%s is refused, and its password is not repeated', (url, message) => {
  const error = errorOf(() => readAddress(url));
  expect(error).toContain(message);
  expect(error).not.toContain('hidden');
});

function errorOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    return String(error);
  }
  return 'none';
}
