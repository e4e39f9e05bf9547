import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import { StorageUnusable } from '../../errors.ts';

export interface Host {
  /** A name, an address, or the folder of a unix socket. */
  readonly host: string;
  readonly port: number;
  /** Undefined: not encrypted. */
  readonly ssl: ConnectionOptions | undefined;
}

/** Where the database is, as its URL says. */
export interface Address {
  /** Tried in turn. */
  readonly hosts: readonly Host[];
  readonly user: string;
  /** Undefined: that of PGPASSWORD or the password file, if any. */
  readonly password: string | undefined;
  readonly database: string;
  readonly schema: string;
  /** Connections at most. */
  readonly pool: number;
  /** For logs and errors: hosts and database alone. */
  readonly shown: string;
}

const FORM =
  'postgres://<user>:<password>@<host>:<port>/<database>?<parameters>, with special characters of the password as %XX';
const PORT = 5_432;
const PARAMETERS = ['sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'pool', 'schema', 'target_session_attrs', 'host'];

/** Reads the URL of a database; hosts may be several, by commas. Throws with what is wrong, never with the URL. */
export function readAddress(url: string): Address {
  const match = /^postgres(?:ql)?:\/\/(?:([^/?#]*)@)?([^/?#@]*)(?:\/([^/?#]*))?(?:\?([^#]*))?$/.exec(url);
  if (match === null) throw new StorageUnusable(`the storage must be of the form ${FORM}`);
  const [, login = '', authority = '', path = '', query = ''] = match;
  const [name = '', ...password] = login.split(':');
  // Before anything is quoted: without a user, an unescaped password is somewhere in the rest.
  const user = required('a user', decoded(name));
  const parameters = readParameters(query);
  const hosts = required('a host', authority || encodeURIComponent(parameters.get('host') ?? ''));
  const names = hosts.split(',').map(readHost);
  const database = required('a database', decoded(path));
  return {
    hosts: names.map((one) => ({ ...one, ssl: readTls(one.host, parameters) })),
    user,
    password: password.length === 0 ? undefined : decoded(password.join(':')),
    database,
    schema: readSchema(parameters.get('schema') ?? 'waybill'),
    pool: readPool(parameters.get('pool') ?? '10'),
    shown: `postgres://${names.map(({ host, port }) => `${host}:${port}`).join(',')}/${database}`,
  };
}

function required(what: string, value: string): string {
  if (value !== '') return value;
  throw new StorageUnusable(`the storage names no ${what.slice(2)}: it must be ${FORM}`);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new StorageUnusable('the storage has a "%" that is followed by no two hex digits: write it as %25');
  }
}

function readParameters(query: string): URLSearchParams {
  const parameters = new URLSearchParams(query);
  for (const name of parameters.keys()) {
    if (!PARAMETERS.includes(name))
      throw new StorageUnusable(`the storage has an unknown parameter ${name}; known are ${PARAMETERS.join(', ')}`);
  }
  const wanted = parameters.get('target_session_attrs') ?? 'read-write';
  if (wanted !== 'read-write' && wanted !== 'primary')
    throw new StorageUnusable(`target_session_attrs must be read-write, got ${JSON.stringify(wanted)}: routers write`);
  return parameters;
}

function readHost(text: string): { readonly host: string; readonly port: number } {
  const [, name = '', digits = String(PORT)] = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(text) ?? [];
  const port = Number(digits);
  if (name === '' || port < 1 || port > 65_535)
    throw new StorageUnusable(`the storage names the host ${JSON.stringify(text)}, which is not <host>:<port>`);
  return { host: decoded(name.replace(/^\[|\]$/g, '')), port };
}

function readSchema(name: string): string {
  if (/^[a-z_][a-z0-9_]{0,62}$/.test(name) && !name.startsWith('pg_')) return name;
  throw new StorageUnusable(
    `schema must be lower-case letters, digits and underscores, at most 63, got ${JSON.stringify(name)}`,
  );
}

function readPool(text: string): number {
  const size = Number(text);
  if (/^\d+$/.test(text) && size >= 2 && size <= 1_000) return size;
  throw new StorageUnusable(`pool must be an integer from 2 to 1000, got ${JSON.stringify(text)}`);
}

const MODES = ['disable', 'require', 'verify-ca', 'verify-full'];

/** Nobody reads along, unless the operator says so, or it stays on this machine. */
function readTls(host: string, parameters: URLSearchParams): ConnectionOptions | undefined {
  const mode = parameters.get('sslmode') ?? (isLocal(host) ? 'disable' : 'verify-full');
  if (!MODES.includes(mode))
    throw new StorageUnusable(`sslmode must be one of ${MODES.join(', ')}, got ${JSON.stringify(mode)}`);
  if (mode === 'disable') return undefined;
  return {
    // What the certificate has to be for; the client tells it of names alone, and would take one for localhost.
    host,
    rejectUnauthorized: mode !== 'require',
    ...(mode === 'verify-ca' ? { checkServerIdentity: () => undefined } : {}),
    ...readPem('ca', parameters.get('sslrootcert')),
    ...readPem('cert', parameters.get('sslcert')),
    ...readPem('key', parameters.get('sslkey')),
  };
}

function isLocal(host: string): boolean {
  return (
    host.startsWith('/') || host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
  );
}

function readPem(part: 'ca' | 'cert' | 'key', file: string | null): ConnectionOptions {
  if (file === null) return {};
  try {
    return { [part]: readFileSync(file, 'utf8') };
  } catch (cause) {
    throw new StorageUnusable(`${file} of the storage cannot be read`, { cause });
  }
}
