import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { newFolder } from './delivery-world.ts';

/** What a released version left when it was killed, and what it had answered (`scripts/upgrade/make-data-folder.ts`). */
export interface Released {
  /** When it was killed. */
  readonly madeAt: number;
  /** Where its webhooks led. */
  readonly port: number;
  readonly token: string;
  /** The bulk replay that was running, and the regulation that had just been asked for. */
  readonly running: { readonly name: string };
  readonly regulation: { readonly name: string };
  /** By path below `/v1beta/`. */
  readonly answers: Readonly<Record<string, Json>>;
  readonly files: Readonly<Record<string, string>>;
}

// oxlint-disable-next-line typescript/no-explicit-any -- paths into answers stay readable
type Json = Record<string, any>;

export function readReleased(version: string): Released {
  const file = new URL(`../fixtures/v${version}.json.gz`, import.meta.url);
  const released: Released = JSON.parse(gunzipSync(readFileSync(file)).toString('utf8'));
  return released;
}

/** The data folder of the released version, byte by byte, in a place of its own. */
export function unpack({ files }: Released): string {
  const folder = newFolder();
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true, mode: 0o700 });
    writeFileSync(join(folder, name), Buffer.from(content, 'base64'), { mode: 0o600 });
  }
  return folder;
}
