import { chmodSync, existsSync } from 'node:fs';
import type { Identity } from '../../tls/certificate.ts';
import { AUTHORITY, createAuthority } from '../../tls/tls-fault.ts';
import { readText, writeText } from '../certify/files.ts';

/** The authority of a file, which senders trust from their start on; made when the file is new. */
export function authorityIn(file: string): Identity {
  const keyFile = `${file}.key`;
  if (existsSync(file)) return { name: AUTHORITY, certificate: readText(file), key: readText(keyFile) };
  const authority = createAuthority(Date.now());
  writeText(keyFile, authority.key);
  chmodSync(keyFile, 0o600);
  writeText(file, authority.certificate);
  return authority;
}
