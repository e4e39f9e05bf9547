import { X509Certificate } from 'node:crypto';
import { readTls, tlsFilesOf } from '../../http/tls.ts';
import type { Settings } from '../../settings/settings.ts';
import { SOON_MS } from './destinations.ts';
import { failed, type Finding, ok, warning } from './finding.ts';
import { messageOf } from '../../thrown.ts';

/** With what https would be served; nothing is found where it is not. */
export function checkCertificate(settings: Settings, now: number): readonly Finding[] {
  const files = tlsFilesOf(settings);
  if (files === undefined) return [];
  try {
    const { validTo } = new X509Certificate(readTls(files).cert);
    const words = `${files.cert}, until ${new Date(validTo).toISOString()}`;
    if (Date.parse(validTo) - now > SOON_MS) return [ok('certificate', words)];
    return [warning('certificate', `${words}: renew it; the router reads it again by itself`)];
  } catch (error) {
    return [failed('certificate', messageOf(error))];
  }
}
