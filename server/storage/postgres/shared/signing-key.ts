import { randomBytes } from 'node:crypto';
import { type Keyring, keyIdOf } from '../../secrets/keyring.ts';
import type { Queries } from '../connection/database.ts';
import { keeps, writes } from '../connection/statement.ts';

const MAKE = writes(
  'make_signing_key',
  "INSERT INTO secrets (name, value) VALUES ('tokens', $1) ON CONFLICT DO NOTHING",
);
const READ = keeps('read_signing_key', "SELECT value FROM secrets WHERE name = 'tokens'");
const REPLACE = writes('replace_signing_key', "UPDATE secrets SET value = $2 WHERE name = 'tokens' AND value = $1");

const KEY_BYTES = 32;
/** What a sealed one is bound to. */
const PLACE = 'the key that access tokens of senders are signed with';

/** Made by the first router that asks. */
export async function signingKey(queries: Queries, keyring: Keyring): Promise<Uint8Array> {
  await queries.run(MAKE, [storedKey(randomBytes(KEY_BYTES), keyring)]);
  const value = await readKey(queries);
  if (value === undefined) throw new Error('the signing key was deleted while it was read');
  return openedKey(value, keyring);
}

/** Whether there is one that is not encrypted as it would be stored now. */
export async function isKeyOutdated(queries: Queries, keyring: Keyring): Promise<boolean> {
  const value = await readKey(queries);
  return value !== undefined && idIn(value) !== keyring.current;
}

/** Answers how many it has written anew. */
export async function resealKey(queries: Queries, keyring: Keyring): Promise<number> {
  const value = await readKey(queries);
  if (value === undefined || idIn(value) === keyring.current) return 0;
  await queries.run(REPLACE, [value, storedKey(openedKey(value, keyring), keyring)]);
  return 1;
}

async function readKey(queries: Queries): Promise<Buffer | undefined> {
  return (await queries.run<{ readonly value: Buffer }>(READ))[0]?.value;
}

function storedKey(key: Uint8Array, keyring: Keyring): Uint8Array {
  return keyring.current === undefined ? key : Buffer.from(keyring.seal(Buffer.from(key).toString('base64'), PLACE));
}

function openedKey(value: Buffer, keyring: Keyring): Uint8Array {
  return value.length === KEY_BYTES ? value : Buffer.from(keyring.open(value.toString('utf8'), PLACE), 'base64');
}

/** A sealed one is longer. */
function idIn(value: Buffer): string | undefined {
  return value.length === KEY_BYTES ? undefined : keyIdOf(value.toString('utf8'));
}
