import fc from 'fast-check';

/** One change that makes a valid value nearly valid. */
export interface Mutation {
  /** Which of the value's places changes, counted modulo their number. */
  readonly place: number;
  /** What stands there afterwards; undefined removes the place. */
  readonly value: unknown;
}

const ODD_VALUES: readonly unknown[] = [
  undefined,
  null,
  '',
  'true',
  '\ud800',
  '\u0000',
  'x'.repeat(5_000),
  '__proto__',
  'constructor',
  '../..',
  'workspaces/../workspaces/main',
  true,
  0,
  -1,
  1.5,
  1e308,
  Number.MAX_SAFE_INTEGER + 1,
  [],
  [null],
  [[[[[[]]]]]],
  {},
  { __proto__: null, constructor: { prototype: 1 }, toString: 1, name: [] },
];

export function mutations(): fc.Arbitrary<Mutation> {
  const values = fc.oneof(fc.constantFrom(...ODD_VALUES), fc.jsonValue({ maxDepth: 2 }));
  return fc.record({ place: fc.nat(1_000), value: values });
}

/** The value with one of its places changed; the value itself is one of them. */
export function mutate(value: unknown, { place, value: odd }: Mutation): unknown {
  const all = placesOf(value);
  const steps = all[place % all.length] ?? [];
  return withPlace(value, steps, odd);
}

function placesOf(value: unknown, here: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [here];
  return [here, ...Object.entries(value).flatMap(([key, inner]) => placesOf(inner, [...here, key]))];
}

function withPlace(value: unknown, [step, ...rest]: readonly string[], odd: unknown): unknown {
  if (step === undefined) return odd;
  if (Array.isArray(value))
    return value.map((item: unknown, index) => (String(index) === step ? withPlace(item, rest, odd) : item));
  return Object.fromEntries(
    Object.entries(Object(value)).map(([key, inner]) => [key, key === step ? withPlace(inner, rest, odd) : inner]),
  );
}
