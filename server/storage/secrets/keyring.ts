import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { StorageUnusable } from '../errors.ts';

/**
 * What encrypts secrets before they are stored, and decrypts them. What is sealed says with which key, and is bound to the
 * place that it belongs to: copied to another one it does not open.
 */
export interface Keyring {
  /** The id of the key that encrypts what is written from now on; undefined where it is written in clear. */
  readonly current: string | undefined;
  /** By which ids what is stored can be opened. */
  readonly ids: readonly string[];
  seal(text: string, place: string): string;
  /** Throws StorageUnusable: for a key that is not known here, and for what was changed or belongs to another place. */
  open(sealed: string, place: string): string;
}

/** In the place of the newest key: new values are written in clear, and older ones are still read. */
export const IN_CLEAR = 'none';

/** How everything begins that is sealed; the id of its key follows. */
export const SEALED = 'sealed:';
const ALGORITHM = 'aes-256-gcm';
const [NONCE_BYTES, TAG_BYTES] = [12, 16];
const ID_DIGITS = 8;
const RESTORE = 'restore it from a backup';

/** The newest key first. */
export function createKeyring(keys: readonly (Uint8Array | typeof IN_CLEAR)[]): Keyring {
  const byId = new Map(keys.flatMap((key) => (key === IN_CLEAR ? [] : [[idOf(key), key] as const])));
  const [newest] = keys;
  const current = newest === undefined || newest === IN_CLEAR ? undefined : { id: idOf(newest), key: newest };
  return {
    current: current?.id,
    ids: [...byId.keys()],
    seal(text, place) {
      if (current === undefined) throw new Error('a keyring without a newest key was asked to encrypt');
      return `${sealedPrefix(current.id)}${encrypted(text, place, current.key)}`;
    },
    open(sealed, place) {
      const id = keyIdOf(sealed);
      if (id === undefined) throw new StorageUnusable(`${place} is damaged: ${RESTORE}`);
      const key = byId.get(id);
      if (key === undefined) throw missing(place, id);
      return decrypted(sealed.slice(sealedPrefix(id).length), { place, id, key });
    },
  };
}

/** Writes in clear, and opens nothing that is sealed. */
export const NO_KEYS: Keyring = createKeyring([]);

/** With which key a text was sealed; undefined for one that was not. */
export function keyIdOf(text: string): string | undefined {
  return /^sealed:([0-9a-f]{8}):/.exec(text)?.[1];
}

/** How everything begins that was sealed with a key. */
export function sealedPrefix(id: string): string {
  return `${SEALED}${id}:`;
}

/** Says which key it is, and nothing of it. */
export function idOf(key: Uint8Array): string {
  return createHash('sha256').update('waybill secret key').update(key).digest('hex').slice(0, ID_DIGITS);
}

function encrypted(text: string, place: string, key: Uint8Array): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(place));
  const bytes = [nonce, cipher.update(text, 'utf8'), cipher.final()];
  return Buffer.concat([...bytes, cipher.getAuthTag()]).toString('base64');
}

function decrypted(encoded: string, { place, id, key }: { place: string; id: string; key: Uint8Array }): string {
  const bytes = Buffer.from(encoded, 'base64');
  try {
    const [nonce, tag] = [bytes.subarray(0, NONCE_BYTES), bytes.subarray(-TAG_BYTES)];
    const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(place)).setAuthTag(tag);
    const text = [decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()];
    return Buffer.concat(text).toString('utf8');
  } catch (cause) {
    const why = 'it was changed, or copied from another resource';
    throw new StorageUnusable(`${place} does not open with its key ${id}: ${why}; ${RESTORE}`, { cause });
  }
}

function missing(place: string, id: string): StorageUnusable {
  const way = 'add that key to WAYBILL_SECRET_KEYS (--secret-keys), behind the newest one';
  return new StorageUnusable(`${place} is encrypted with the key ${id}, which was not given: ${way}`);
}
