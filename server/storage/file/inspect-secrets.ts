import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObject } from '../../model/json-values.ts';
import { countKeys, type KeyCounts, keysOfRow } from '../secrets/sealed-rows.ts';
import { CONFIG_FOLDER } from './private-files.ts';

/** With which keys the secrets of a data folder are encrypted; nothing is changed, and no key is needed. */
export function inspectSecrets(folder: string): KeyCounts {
  const config = join(folder, CONFIG_FOLDER);
  const names = listing(config).filter((name) => name.endsWith('.json'));
  return countKeys(names.flatMap((name) => rowsIn(join(config, name)).map(keysOf)));
}

function listing(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Of a damaged file nothing: another check finds it. */
function rowsIn(file: string): readonly unknown[] {
  try {
    const found: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return isObject(found) && Array.isArray(found['rows']) ? found['rows'] : [];
  } catch {
    return [];
  }
}

function keysOf(row: unknown): readonly (string | undefined)[] {
  return isObject(row) ? keysOfRow(String(row['kind']), row['resource']) : [];
}
