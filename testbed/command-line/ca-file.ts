import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A certificate in a file, for as long as the command runs. */
export interface CaFile extends AsyncDisposable {
  readonly path: string | undefined;
}

/** Writes the certificate of a throw-away authority where senders can read it; without one there is no file. */
export async function writeCaFile(certificate: string | undefined): Promise<CaFile> {
  if (certificate === undefined) return { path: undefined, [Symbol.asyncDispose]: async () => undefined };
  const folder = await mkdtemp(join(tmpdir(), 'waybill-receiver-'));
  const path = join(folder, 'ca.pem');
  await writeFile(path, certificate);
  return { path, [Symbol.asyncDispose]: async () => rm(folder, { recursive: true, force: true }) };
}
