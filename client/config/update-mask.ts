import type { ResourceRow } from './resources.ts';

type MaskRow = Pick<ResourceRow, 'key' | 'nested'>;

/**
 * The paths of an update mask, each with the resource's key in front (S 4.1, D-3). Explicit ones are taken as they are;
 * else there is one for each field that the changes give a value, and for each such field within a nested object. An
 * object without such a field gives no path, so that it changes nothing.
 */
export function updateMaskPaths(row: MaskRow, changes: object, explicit?: readonly string[]): string[] {
  const paths = explicit ?? changedPaths(row, changes);
  const prefix = `${row.key}.`;
  return [...new Set(paths.map((path) => (path.startsWith(prefix) ? path : prefix + path)))];
}

function changedPaths(row: MaskRow, changes: object): string[] {
  return given(changes).flatMap(([field, value]) => {
    const isNested = Object.hasOwn(row.nested, field) && typeof value === 'object' && value !== null;
    return isNested ? given(value).map(([inner]) => `${field}.${inner}`) : [field];
  });
}

function given(values: object): [string, unknown][] {
  return Object.entries(values).filter(([, value]) => value !== undefined);
}
