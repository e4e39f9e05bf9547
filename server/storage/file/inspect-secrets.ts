import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObject } from '../../model/json-values.ts';
import { countKeys, type KeyCounts, keysOfRow } from '../secrets/sealed-rows.ts';
import { CONFIG_FOLDER } from './private-files.ts';

/** With which keys the secrets of a data folder are encrypted; nothing is changed, and no key is needed. */
export function inspectSecrets(folder: string): KeyCounts {
  const config = join(folder, CONFIG_FOLDER);
  const names = listing(config).filter((name) => name.endsWith('.json'));
  return countKeys(names.flatMap((name) => rowsOf(join(config, name)).map(keysOfStored)));
}

function listing(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Of a damaged file nothing: another check finds it. */
function rowsOf(file: string): readonly unknown[] {
  try {
    return storedRowsIn(readFileSync(file, 'utf8')) ?? [];
  } catch {
    return [];
  }
}

/** The rows of a file of the configuration, of any format; undefined where it is damaged. */
export function storedRowsIn(text: string): readonly unknown[] | undefined {
  try {
    const found: unknown = JSON.parse(text);
    return isObject(found) && Array.isArray(found['rows']) ? found['rows'] : undefined;
  } catch {
    return undefined;
  }
}

/** With which keys such a row is encrypted; undefined stands for what is in clear. */
export function keysOfStored(row: unknown): readonly (string | undefined)[] {
  return isObject(row) ? keysOfRow(String(row['kind']), row['resource']) : [];
}
