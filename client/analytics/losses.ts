import { writesItself } from './writes-itself.ts';

/** Objects whose content is not in their properties. An Error is one too: its message is no enumerable property. */
const WRITTEN_EMPTY = /^((Weak)?(Map|Set)|RegExp|Promise|Error)$/;

/** More than these are not named. */
const MAX_NAMED = 5;

/**
 * What JSON silently changes in a value: NaN and infinities, invalid dates, functions, symbols, and objects such as Map
 * that have nothing to write. The message is sent all the same; the texts are for a warning, and name paths, not values.
 * To be called only for a value that was written before, so that it has no circle and a bounded size.
 */
export function lossesIn(value: object): string[] {
  const losses: string[] = [];
  visitKeys(value, '', losses);
  return losses;
}

function visitKeys(holder: object, path: string, losses: string[]): void {
  for (const key of Object.keys(holder)) {
    if (losses.length >= MAX_NAMED) return;
    const value: unknown = Reflect.get(holder, key);
    // Most values lose nothing, and then no path is made.
    if (typeof value === 'string') continue;
    const loss = lossOf(value, Array.isArray(holder));
    if (loss) losses.push(`${path}${key} ${loss}`);
    else if (typeof value === 'object' && value !== null && !writesItself(value)) {
      visitKeys(value, `${path}${key}.`, losses);
    }
  }
}

function lossOf(value: unknown, inArray: boolean): string | undefined {
  if (typeof value === 'object') return value === null ? undefined : lossOfObject(value);
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : `is ${value}, and is sent as null`;
  if (typeof value !== 'function' && typeof value !== 'symbol') return undefined;
  return `is a ${typeof value}, and is ${inArray ? 'sent as null' : 'left out'}`;
}

function lossOfObject(value: object): string | undefined {
  if (value instanceof Date && Number.isNaN(value.getTime())) return 'is an invalid Date, and is sent as null';
  if (writesItself(value) || Object.keys(value).length > 0) return undefined;
  const kind = Object.prototype.toString.call(value).slice(8, -1);
  return WRITTEN_EMPTY.test(kind) ? `is a ${kind}, and is sent as {}` : undefined;
}
