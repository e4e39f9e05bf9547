import type pg from 'pg';
import { driver } from './driver.ts';

/** `bigint[]`, which the list of the client lacks. */
const INT8_ARRAY = 1016;

/** How values are read: all whole numbers of ours are below 2^53, and so are their sums. */
export function columnTypes(): pg.CustomTypesConfig {
  const { TypeOverrides, types: known } = driver();
  const { INT8, NUMERIC } = known.builtins;
  const types = new TypeOverrides();
  types.setTypeParser(INT8, whole);
  types.setTypeParser(NUMERIC, whole);
  types.setTypeParser(INT8_ARRAY, (text) => (text === '{}' ? [] : text.slice(1, -1).split(',').map(wholeOrNull)));
  return types;
}

function wholeOrNull(text: string): number | null {
  return text === 'NULL' ? null : whole(text);
}

/** Rather an error than a number that is not the one that was stored. */
function whole(text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value)) return value;
  throw new Error(`${text} is not a whole number below 2^53`);
}
