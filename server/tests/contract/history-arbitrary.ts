import fc from 'fast-check';
import { type Fields, type Kind, KINDS } from './model/config-kinds.ts';

/** One thing that happens to the router. Names may end with `#n`: the nth generated one, of those there were so far. */
export type Step =
  | {
      readonly act: 'create';
      readonly kind: Kind;
      readonly parent: string;
      readonly slug: string;
      readonly fields: Fields;
    }
  | {
      readonly act: 'update';
      readonly name: string;
      readonly fields: Fields;
      readonly paths: readonly string[];
      readonly byPut: boolean;
    }
  | { readonly act: 'remove'; readonly name: string; readonly force: boolean }
  | { readonly act: 'get'; readonly name: string }
  | { readonly act: 'list'; readonly kind: Kind; readonly parent: string; readonly size: number }
  | { readonly act: 'restart' };

/** A step with who takes it, counted modulo the tokens that there were so far; 0 is the first, which may do anything. */
export type Move = Step & { readonly caller: number };

/** So few names that histories meet what is there, what is gone, and what never was. */
const WORKSPACES = ['main', 'x', 'y'].map((slug) => `workspaces/${slug}`);
const SLUGS: Readonly<Record<Kind, readonly string[]>> = {
  'access-tokens': ['#'],
  workspaces: ['main', 'x', 'y'],
  sources: ['a', 'b'],
  destinations: ['webhooks', 'webhooks-2', 'my-own'],
  'tracking-plans': ['#'],
};

const HOOKS = fc.array(
  fc.oneof(
    fc.constantFrom('https://a.example.com', 'https://b.example.com/x').map((hook) => ({ hook })),
    fc.constant({ hook: 'https://c.example.com', headers: [{ key: 'X-Team', value: 'web', note: 1 }], unknown: true }),
  ),
  { maxLength: 2 },
);
const CONFIG = fc.record(
  {
    hooks: HOOKS,
    sharedSecret: fc.constantFrom('', 's', 'whsec_no'),
    signature: fc.constantFrom('', 'both', 'x-signature'),
    maxPerSecond: fc.constantFrom(0, 0.5, 20, -1, '3'),
    maxInFlight: fc.constantFrom(0, 4, 32, 33, 1.5),
    shape: fc.constantFrom(
      [],
      [{ op: 'drop', paths: ['context'] }],
      [{ op: 'rename', from: 'event', to: '__proto__' }],
      [{ op: 'set', path: 'a', value: '"b"' }],
      [{ op: 'keep' }],
      'no list',
    ),
    ordering: fc.constantFrom('', 'none', 'user', 'source', 1),
    traceContext: fc.constantFrom(true, false, 'yes'),
    extra: fc.integer(),
  },
  { requiredKeys: [] },
);
const TEXT = fc.constantFrom('one', 'two', '', 'drei ☃');
const LIBRARY = fc.record({ retry_queue: fc.boolean(), api_host: TEXT }, { requiredKeys: [] });

/** Any of these fields may be sent, in creates and updates, listed or not. */
const FIELDS: Readonly<Record<Kind, Readonly<Record<string, fc.Arbitrary<unknown>>>>> = {
  'access-tokens': { description: fc.constantFrom('one', 'two') },
  workspaces: { display_name: TEXT },
  sources: {
    display_name: TEXT,
    catalog_name: TEXT,
    write_keys: fc.array(fc.constantFrom('a-key', 'id:secret', 'id'), { maxLength: 2 }),
    labels: fc.dictionary(fc.constantFrom('k', 'l'), TEXT, { noNullPrototype: true }),
    library_config: LIBRARY,
  },
  destinations: {
    display_name: TEXT,
    enabled: fc.boolean(),
    connection_mode: fc.constantFrom('UNSPECIFIED', 'CLOUD'),
    config: CONFIG,
  },
  'tracking-plans': {
    display_name: TEXT,
    rules: fc.constantFrom({}, { events: [] }, { events: [{ name: 'E' }], global: {} }),
  },
};

/** What a create may say, and an update may not change. */
const ONCE: Readonly<Partial<Record<Kind, Readonly<Record<string, fc.Arbitrary<unknown>>>>>> = {
  destinations: {
    catalog_name: fc
      .constantFrom('webhooks', 'webhooks', 'amplitude', 'none')
      .map((one) => `catalog/destinations/${one}`),
  },
};

const REQUIRED: Readonly<Partial<Record<Kind, Readonly<Record<string, fc.Arbitrary<unknown>>>>>> = {
  'access-tokens': {
    description: fc.constant('a token'),
    scopes: fc.constantFrom('workspace', 'workspace', 'workspace:read'),
    workspace_names: fc.uniqueArray(fc.constantFrom(...WORKSPACES), { maxLength: 2 }),
  },
  'tracking-plans': { display_name: TEXT },
};

/** Restarts are seldom, as they say little about what they are between. */
const MOVES: fc.Arbitrary<Move> = fc
  .record({
    step: fc.oneof(
      { arbitrary: creates(), weight: 12 },
      { arbitrary: updates(), weight: 9 },
      { arbitrary: removals(), weight: 4 },
      { arbitrary: reads(), weight: 3 },
      { arbitrary: lists(), weight: 4 },
      { arbitrary: fc.constant<Step>({ act: 'restart' }), weight: 1 },
    ),
    caller: fc.oneof({ arbitrary: fc.constant(0), weight: 4 }, fc.nat(9)),
  })
  .map(({ step, caller }) => ({ ...step, caller }));

/** So many moves; when one shows a fault, those that have no part in it shrink to undefined. */
export function histories(length: number): fc.Arbitrary<readonly (Move | undefined)[]> {
  const move = fc.option(MOVES, { nil: undefined, freq: 1_000_000 });
  return fc.array(move, { minLength: length, maxLength: length });
}

function creates(): fc.Arbitrary<Step> {
  return kinds().chain((kind) =>
    fc.record({
      act: fc.constant('create' as const),
      kind: fc.constant(kind),
      parent: parents(kind),
      slug: fc.constantFrom(...SLUGS[kind]),
      fields: fc
        .tuple(fc.record({ ...FIELDS[kind], ...ONCE[kind] }, { requiredKeys: [] }), fc.record({ ...REQUIRED[kind] }))
        .map(([free, required]) => ({ ...free, ...required })),
    }),
  );
}

function updates(): fc.Arbitrary<Step> {
  return kinds().chain((kind) => {
    const paths = Object.keys(KINDS[kind].empties);
    return fc.record({
      act: fc.constant('update' as const),
      name: names(kind),
      fields: fc.record({ ...FIELDS[kind] }, { requiredKeys: [] }),
      paths: fc.uniqueArray(fc.oneof({ arbitrary: fc.constantFrom(...paths), weight: 20 }, fc.constant('nonsense')), {
        maxLength: 3,
      }),
      byPut: fc.boolean(),
    });
  });
}

function removals(): fc.Arbitrary<Step> {
  return kinds().chain((kind) =>
    fc.record({ act: fc.constant('remove' as const), name: names(kind), force: fc.boolean() }),
  );
}

function reads(): fc.Arbitrary<Step> {
  return kinds().chain((kind) => fc.record({ act: fc.constant('get' as const), name: names(kind) }));
}

function lists(): fc.Arbitrary<Step> {
  return kinds().chain((kind) =>
    fc.record({
      act: fc.constant('list' as const),
      kind: fc.constant(kind),
      parent: parents(kind),
      size: fc.integer({ min: 1, max: 3 }),
    }),
  );
}

function kinds(): fc.Arbitrary<Kind> {
  return fc.constantFrom(
    'access-tokens',
    'workspaces',
    'sources',
    'sources',
    'destinations',
    'destinations',
    'tracking-plans',
  );
}

function parents(kind: Kind): fc.Arbitrary<string> {
  if (kind === 'access-tokens' || kind === 'workspaces') return fc.constant('');
  const main = fc.oneof({ arbitrary: fc.constant('workspaces/main'), weight: 3 }, fc.constantFrom(...WORKSPACES));
  return kind === 'destinations'
    ? fc.tuple(main, fc.constantFrom(...SLUGS.sources)).map(([home, slug]) => `${home}/sources/${slug}`)
    : main;
}

function names(kind: Kind): fc.Arbitrary<string> {
  const slugs = fc
    .tuple(fc.constantFrom(...SLUGS[kind]), fc.nat(5))
    .map(([slug, n]) => (slug === '#' ? `#${n}` : slug));
  return fc.tuple(parents(kind), slugs).map(([parent, slug]) => `${parent === '' ? '' : `${parent}/`}${kind}/${slug}`);
}
