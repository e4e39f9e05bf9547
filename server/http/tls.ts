import { readFileSync, unwatchFile, watchFile } from 'node:fs';
import { createSecureContext } from 'node:tls';
import type { Log } from '../ports/log.ts';
import type { Settings } from '../settings/settings.ts';
import { CannotListen } from './cannot-listen.ts';
import { messageOf } from '../thrown.ts';

/** Files in PEM: the certificate with those of its issuers, and its key. */
export interface TlsFiles {
  readonly cert: string;
  readonly key: string;
}

/** Undefined where http is served. */
export function tlsFilesOf({ tlsCert: cert, tlsKey: key }: Pick<Settings, 'tlsCert' | 'tlsKey'>): TlsFiles | undefined {
  return cert === undefined || key === undefined ? undefined : { cert, key };
}

/** What the files hold. */
export interface TlsMaterial {
  readonly cert: Buffer;
  readonly key: Buffer;
}

/** How often the files are looked at: programs that renew certificates replace them, and tell nobody. */
const LOOK_MS = 5_000;

/** Throws CannotListen where the files cannot serve https. It names them, and shows nothing of what they hold. */
export function readTls({ cert, key }: TlsFiles): TlsMaterial {
  try {
    const material = { cert: readFileSync(cert), key: readFileSync(key) };
    // A key of another certificate would fail every handshake.
    createSecureContext(material);
    return material;
  } catch (cause) {
    const reason = messageOf(cause);
    throw new CannotListen(`--tls-cert ${cert} with --tls-key ${key} cannot serve https: ${reason}`, { cause });
  }
}

/**
 * Uses the files anew when they change. What cannot be used leaves the certificate before in use, and is logged: the two
 * files are not replaced at the same moment. Answers how to look at once, and how to stop.
 */
export function keepFresh(files: TlsFiles, use: (material: TlsMaterial) => void, log: Log): CertificateWatch {
  const { cert } = files;
  const look = (): void => {
    try {
      use(readTls(files));
      log.info({ cert }, 'certificate reloaded');
    } catch (error) {
      const reason = messageOf(error);
      log.warn({ cert, error: reason }, 'certificate not reloaded: the one before stays in use');
    }
  };
  for (const file of [cert, files.key]) watchFile(file, { interval: LOOK_MS, persistent: false }, look);
  return {
    look,
    stop: () => {
      for (const file of [cert, files.key]) unwatchFile(file, look);
    },
  };
}

export interface CertificateWatch {
  look(): void;
  stop(): void;
}
