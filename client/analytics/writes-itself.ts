/** An object in whose place JSON has what its method gives. */
export interface WritesItself {
  toJSON(key: string): unknown;
}

export function writesItself(value: object): value is WritesItself {
  return 'toJSON' in value && typeof value.toJSON === 'function';
}
