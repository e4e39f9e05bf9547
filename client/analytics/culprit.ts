import { type WritesItself, writesItself } from './writes-itself.ts';

/** Beyond this depth nothing is looked for, so that no nesting is too deep for the search itself. */
const DEEPEST = 100;

/** What keeps a value from being written as JSON, with its path; undefined when it is not found. */
export function culprit(root: object): string | undefined {
  return search(root, '', []);
}

function search(value: unknown, path: string, above: readonly unknown[]): string | undefined {
  if (typeof value === 'bigint') return `${path} is a BigInt: give it as a text or a number`;
  if (typeof value !== 'object' || value === null) return undefined;
  if (above.length > DEEPEST) return undefined;
  if (above.includes(value)) return `${path} refers back to an object that holds it`;
  return writesItself(value) ? searchWritten(value, path, above) : searchKeys(value, path, above);
}

function searchWritten(value: WritesItself, path: string, above: readonly unknown[]) {
  let written: unknown;
  try {
    written = value.toJSON('');
  } catch {
    return `${path} has a toJSON that throws`;
  }
  // What it gives is written as it is, also when it is an object that could write itself.
  if (typeof written === 'object' && written !== null) return searchKeys(written, path, above);
  return search(written, path, above);
}

function searchKeys(value: object, path: string, above: readonly unknown[]): string | undefined {
  for (const key of Object.keys(value)) {
    const found = searchKey(value, key, path === '' ? key : `${path}.${key}`, [...above, value]);
    if (found !== undefined) return found;
  }
  return undefined;
}

function searchKey(holder: object, key: string, path: string, above: readonly unknown[]): string | undefined {
  let value: unknown;
  try {
    value = Reflect.get(holder, key);
  } catch {
    return `${path} has a getter that throws`;
  }
  return search(value, path, above);
}
