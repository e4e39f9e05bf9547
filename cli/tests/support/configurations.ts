import fc from 'fast-check';

const slug = fc.stringMatching(/^[a-z0-9][a-z0-9._-]{0,8}$/);
/** With what could be taken for something else: references, YAML, keys that look like numbers. */
const words = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.constantFrom('${env:NONE}', '$${file:x}', 'a: b', '- c', 'no', '1', '', 'ä\n"q"', '#x', 'null', '${x}'),
);
const name = words.filter((text) => text.trim() !== '').map((text) => `n${text}`);
const flag = fc.boolean();

const hook = fc.record(
  {
    hook: fc.nat(999).map((path) => `https://hooks.example.com/${path}?key=a`),
    headers: fc.uniqueArray(
      fc.record({ key: fc.stringMatching(/^[Xx]-[a-z]{1,6}$/), value: fc.stringMatching(/^[a-z]*$/) }),
      { selector: ({ key }) => key.toLowerCase(), maxLength: 2 },
    ),
  },
  { requiredKeys: ['hook'] },
);
const webhooksConfig = fc.tuple(
  fc.array(hook, { minLength: 1, maxLength: 4 }).map((value) => ({ name: 'hooks', value })),
  fc.stringMatching(/^[A-Za-z0-9$]{1,20}$/).map((value) => ({ name: 'sharedSecret', value })),
);
const otherConfig = fc.uniqueArray(
  fc.record({ name: fc.stringMatching(/^[a-z]{1,8}$/), value: fc.oneof(words, flag, fc.nat(), fc.constant(null)) }),
  { selector: (entry) => entry.name, maxLength: 3 },
);

const filter = fc.record(
  {
    title: fc.constantFrom('No tests', 'Sample', ''),
    description: words,
    if: fc.constantFrom('all', 'event = "Test"', 'match(context.ip, "10.*")'),
    actions: fc.constantFrom(
      [],
      [{ type: 'drop_event' }],
      [{ type: 'sample_event', percent: 0.5, path: 'userId' }],
      [{ type: 'blacklist_fields', fields: { context: { fields: ['ip'] } } }],
    ),
    enabled: flag,
  },
  { requiredKeys: ['if'] },
);
const filters = fc.array(filter, { maxLength: 3 });

const destination = (config: fc.Arbitrary<unknown>) =>
  fc.record(
    { display_name: name, enabled: flag, connection_mode: fc.constantFrom('UNSPECIFIED', 'CLOUD'), config, filters },
    { requiredKeys: ['config'] },
  );
const destinations = fc.record(
  {
    webhooks: destination(webhooksConfig),
    'google-analytics': destination(otherConfig),
    own: destination(otherConfig),
  },
  { requiredKeys: [] },
);

const schemaConfig = fc.record(
  {
    allow_unplanned_track_events: flag,
    allow_identify_traits_on_violations: flag,
    common_track_event_on_violations: fc.constantFrom('ALLOW', 'BLOCK', 'OMIT_PROPERTIES'),
  },
  { requiredKeys: [] },
);

const source = fc.record(
  {
    display_name: name,
    catalog_name: fc.constantFrom('catalog/sources/javascript', 'catalog/sources/.net', ''),
    labels: fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), words, { maxKeys: 3, noNullPrototype: true }),
    library_config: fc.record(
      { metrics_enabled: flag, retry_queue: flag, api_host: fc.constantFrom('', 'a.example.com') },
      { requiredKeys: [] },
    ),
    schema_config: schemaConfig,
    destinations,
  },
  { requiredKeys: [] },
);

const plan = fc.record(
  {
    display_name: fc.constantFrom('Shop', 'App', '1', 'a "quoted" plan'),
    rules: fc.constantFrom(
      {},
      { events: [{ name: 'Order Completed', version: 1, rules: { type: 'object', required: ['properties'] } }] },
      { global: { type: 'object' }, identify: { properties: { traits: { type: 'object' } } } },
    ),
  },
  { requiredKeys: ['display_name'] },
);

/** With keys that differ, and what could be taken for a reference or a name. */
const TITLES = ['Big spenders', '${env:NONE} buyers', 'a "quoted" one', 'Größe', 'workspaces/main/audiences/x', 'no'];

const counted = fc.record(
  {
    where: fc.constantFrom('all', "event = 'Order Completed'", 'properties.total > 10'),
    window: fc.constantFrom({ within: '7d' }, { between: ['1d', '48h'] }, { since: '2026-01-01T00:00:00Z' }),
  },
  { requiredKeys: ['where'] },
);
const comparison = fc.constantFrom({ gte: 2 }, { eq: 'sources' }, { in: ['a', 3, true] }, { exists: true });

/** A number chooses what is referred to, once it is known what there is. */
const draft = fc.record({
  title: fc.constantFrom(...TITLES),
  isTrait: flag,
  enabled: flag,
  counted,
  comparison,
  pick: fc.nat(99),
});
const computed = fc.uniqueArray(draft, { selector: ({ title }) => title, maxLength: TITLES.length });
type Draft = typeof draft extends fc.Arbitrary<infer One> ? One : never;

/** Audiences refer to those before them, and stand in the file the other way round: what they need comes last. */
function computedIn(sources: Readonly<Record<string, Record<string, unknown>>>, drafts: readonly Draft[]): object {
  const slugs = Object.keys(sources);
  const webhooks = slugs.filter((one) => Object.hasOwn(Object(sources[one]?.['destinations'] ?? {}), 'webhooks'));
  const traits = drafts.filter(({ isTrait }) => isTrait);
  const audiences = drafts.filter(({ isTrait }) => !isTrait);
  const of = ({ title, enabled, pick }: Draft, definition: object) => {
    const told = webhooks.filter((_, index) => (index + pick) % 2 === 0).map((one) => `${one}/webhooks`);
    return { display_name: title, enabled, definition, destinations: told };
  };
  const from = ({ counted: own, pick }: Draft) => {
    const chosen = slugs[pick % (slugs.length + 1)];
    return chosen === undefined ? own : { ...own, sources: [chosen] };
  };
  return {
    computed_traits: traits.map((one) => of(one, { unique_list: { ...from(one), of: 'properties.sources' } })),
    audiences: audiences
      .map((one, index) => of(one, definitionOf(one, from(one), audiences.slice(0, index), traits)))
      .toReversed(),
  };
}

function definitionOf(one: Draft, events: object, before: readonly Draft[], traits: readonly Draft[]): object {
  const [other, trait] = [before[one.pick % (before.length + 1)], traits[one.pick % (traits.length + 1)]];
  return {
    any: [
      { events: { ...events, last: { of: 'properties.member_of', in: ['sources'] } } },
      { not: { trait: 'sources', is: one.comparison } },
      ...(other === undefined ? [] : [{ member_of: other.title }]),
      ...(trait === undefined ? [] : [{ all: [{ computed_trait: trait.title, is: one.comparison }] }]),
    ],
  };
}

const limit = fc.oneof(fc.constantFrom(0, 1), fc.nat(1_000_000_000));
const quota = fc.record({ events_per_second: limit, events_per_day: limit }, { requiredKeys: [] });

/** A workspace as a file describes it. Each source is in at most one plan. */
export const workspaces: fc.Arbitrary<object> = fc
  .tuple(
    fc.dictionary(slug, source, { maxKeys: 4, noNullPrototype: true }),
    fc.array(plan, { maxLength: 3 }),
    fc.nat(),
    name,
    computed,
    quota,
  )
  .map(([sources, plans, shift, display_name, drafts, limits]) => ({
    display_name,
    quota: limits,
    ...computedIn(sources, drafts),
    sources: withForwarding(sources),
    tracking_plans: plans.map((one, index) => ({
      ...one,
      sources: Object.keys(sources).filter((_, place) => (place + shift) % (plans.length + 1) === index),
    })),
  }));

/** One source gets what another one blocks: the order in which they are made must not matter. */
function withForwarding(sources: Readonly<Record<string, Record<string, unknown>>>): object {
  const slugs = Object.keys(sources);
  const [first, last] = [slugs[0], slugs.at(-1)];
  if (first === undefined || last === undefined || first === last) return sources;
  const { schema_config: own } = sources[first] ?? {};
  const forwarding = { ...(typeof own === 'object' ? own : {}), forwarding_blocked_events_to: last };
  return { ...sources, [first]: { ...sources[first], schema_config: forwarding } };
}
