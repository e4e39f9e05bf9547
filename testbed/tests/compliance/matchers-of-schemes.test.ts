import { expect, test } from 'vitest';
import { auditSchedule, auditSignatures, NotJudgedError } from '../../audit/index.ts';
import type { Observed } from '../../audit/observed.ts';
import { custom, type Scheme, SCHEMES } from '../../schemes/index.ts';
import { eventIdOf } from '../../schemes/said.ts';
import { assertSent } from '../../node-test/index.ts';
import { deliveryMatchers } from '../../vitest/index.ts';
import { type History, SECRET, sentAs } from '../support/sent-as.ts';

expect.extend(deliveryMatchers);

type Name = keyof typeof deliveryMatchers;
type Outcome = 'passes' | 'fails' | 'refuses';

/** One event at first fails and comes again as a schedule may say; then another one. */
const GOOD: History = {
  script: '503,200',
  sent: [
    ['first', 0],
    ['first', 7_500],
    ['second', 20_000],
  ],
};
const HASTY: History = {
  script: '503,200',
  sent: [
    ['first', 0],
    ['first', 100],
    ['second', 1],
  ],
};
const BURST: History = {
  script: '200',
  sent: [
    ['first', 0],
    ['second', 1],
  ],
};
const REFUSED: History = { ...GOOD, script: '503 x*' };

interface Call {
  readonly history: History;
  readonly given: (ids: readonly string[]) => readonly unknown[];
}

interface Row {
  /** About what is right, and about what is wrong. */
  readonly right: Call;
  readonly wrong: Call;
  /** Whether it knows only what Waybill sends. */
  readonly isOfWaybill?: true;
  /** What it says of no requests, and turned round by `not`. */
  readonly ofNothing: readonly [Outcome, Outcome];
}

const WITHOUT_DEADLINE = { firstWaitMs: 10_000, maxWaitMs: 600_000, windowMs: 14_400_000 };
const POLICY = { policy: { ...WITHOUT_DEADLINE, deadlineMs: 5_000 } };
const PARKED = { type: 'destination.parked', destination: 'd' };
const MEMBER = { audience: 'big_spenders', user: 'u1' };
/** That nothing came is what they say, turned round; of the others nothing shows nothing. */
const SAYS_SO = ['fails', 'passes'] as const;
const SHOWS_NOTHING = ['refuses', 'refuses'] as const;

const call = (history: History, ...given: readonly unknown[]): Call => ({ history, given: () => given });

const TABLE: Record<Name, Row> = {
  toHaveDelivered: { right: call(GOOD, { count: 2 }), wrong: call(REFUSED, { count: 2 }), ofNothing: SAYS_SO },
  toMatchRetrySchedule: { right: call(GOOD, POLICY), wrong: call(HASTY, POLICY), ofNothing: SHOWS_NOTHING },
  toRespectRate: {
    right: call(GOOD, { perSecond: 1, inFlight: 1 }),
    wrong: call(BURST, { perSecond: 1 }),
    ofNothing: SHOWS_NOTHING,
  },
  toArriveInOrder: {
    right: { history: { ...GOOD, script: '200' }, given: (ids) => [{ ids }] },
    wrong: { history: { ...GOOD, script: '200' }, given: (ids) => [{ ids: ids.toReversed() }] },
    ofNothing: SHOWS_NOTHING,
  },
  toBeSignedWith: { right: call(GOOD, SECRET), wrong: call(GOOD, 'whsec_b3RoZXI='), ofNothing: SHOWS_NOTHING },
  toHaveBeenToldMembership: {
    right: call(GOOD, MEMBER),
    wrong: call(GOOD, { ...MEMBER, value: false }),
    isOfWaybill: true,
    ofNothing: SAYS_SO,
  },
  toHaveBeenNotified: {
    right: call(GOOD, PARKED),
    wrong: call(GOOD, { ...PARKED, times: 2 }),
    isOfWaybill: true,
    ofNothing: SAYS_SO,
  },
};

const OWN = {
  'custom with an id': custom({ header: 'X-Own', algorithm: 'SHA-512', encoding: 'hex', id: { header: 'X-Own-Id' } }),
  'custom without an id': custom({ header: 'X-Own', algorithm: 'SHA-512', encoding: 'base64' }),
};
const ALL_SCHEMES: Readonly<Record<string, Scheme>> = { ...SCHEMES, ...OWN };

interface Verdict {
  readonly pass: boolean;
  readonly message: () => string;
}
type Matchers = Readonly<Record<string, (sent: unknown, ...given: never[]) => Promise<Verdict> | Verdict>>;

function missing(): never {
  throw new TypeError('There is no matcher by this name');
}

/** What a matcher makes of requests, and why. */
async function judged(matchers: Matchers, name: string, sent: readonly Observed[], given: readonly unknown[]) {
  try {
    const matcher: ((...all: never[]) => Promise<Verdict> | Verdict) | undefined = matchers[name];
    const { pass, message }: Verdict = await Reflect.apply(matcher ?? missing, undefined, [sent, ...given]);
    return { outcome: pass ? 'passes' : 'fails', words: message() };
  } catch (error) {
    if (!(error instanceof NotJudgedError)) throw error;
    return { outcome: 'refuses', words: error.message };
  }
}

/** What is not as the table says: of no requests, and of right and wrong ones of every scheme. */
async function contradictions(matchers: Matchers, table: Readonly<Record<string, Row>>): Promise<readonly string[]> {
  const found: string[] = [];
  for (const name of Object.keys(matchers)) {
    const row = table[name];
    if (row === undefined) {
      found.push(`${name} is not in the table`);
      continue;
    }
    const expecting = async (what: string, wanted: Outcome, { history, given }: Call, scheme?: Scheme) => {
      const sent = scheme === undefined ? [] : await sentAs(scheme, history);
      const ids = [...new Set(sent.flatMap((each) => eventIdOf(each) ?? []))];
      const { outcome, words } = await judged(matchers, name, sent, given(ids));
      if (outcome !== wanted) found.push(`${name} ${outcome} ${what}, and it ought to be: ${wanted} (${words})`);
    };
    await expecting('nothing', row.ofNothing[0], row.right);
    for (const [of, scheme] of Object.entries(ALL_SCHEMES)) {
      const isRefused = row.isOfWaybill === true && scheme !== SCHEMES.waybill;
      await expecting(`what is right (${of})`, isRefused ? 'refuses' : 'passes', row.right, scheme);
      await expecting(`what is wrong (${of})`, isRefused ? 'refuses' : 'fails', row.wrong, scheme);
    }
  }
  return found;
}

test('every matcher judges the requests of every scheme, or refuses them, and none is satisfied by nothing', async () => {
  expect(await contradictions(deliveryMatchers, TABLE)).toEqual([]);
});

test('a matcher that passes without looking is found, and one that is not in the table', async () => {
  const blind = {
    toHaveDelivered: () => ({ pass: true, message: () => '' }),
    toBeNew: () => ({ pass: true, message: () => '' }),
  };
  const found = await contradictions(blind, TABLE);
  expect(found).toContain('toBeNew is not in the table');
  expect(found).toContain('toHaveDelivered passes nothing, and it ought to be: fails ()');
  expect(found).toContain('toHaveDelivered passes what is wrong (stripe), and it ought to be: fails ()');
});

test.each(Object.entries(TABLE))(
  'turned round, %s is satisfied by nothing only where it says that',
  async (name, row) => {
    const turned = assertSent([]).not;
    const said = async (): Promise<unknown> => Reflect.apply(Reflect.get(turned, name), turned, row.right.given([]));
    const outcome = await said().then(
      () => 'passes',
      () => 'refuses',
    );
    expect(outcome).toBe(row.ofNothing[1]);
  },
);

test.each(
  Object.values(SCHEMES).filter((scheme) => scheme !== SCHEMES.waybill && scheme !== SCHEMES['standard-webhooks']),
)(
  'an endpoint without a scheme that $name was meant for is told so by every matcher but that of rates',
  async (scheme) => {
    const outcomes: Record<string, string> = {};
    const named: string[] = [];
    for (const [name, { right }] of Object.entries(TABLE)) {
      const sent = await sentAs(scheme, right.history, SCHEMES.waybill);
      const given = name === 'toArriveInOrder' ? [] : right.given([]);
      const { outcome, words } = await judged(deliveryMatchers, name, sent, given);
      outcomes[name] = outcome;
      if (words.includes(`scheme ${scheme.name}`)) named.push(name);
    }
    expect(outcomes).toEqual({
      toHaveDelivered: 'fails',
      toMatchRetrySchedule: 'refuses',
      toRespectRate: 'passes',
      toArriveInOrder: 'refuses',
      toBeSignedWith: 'fails',
      toHaveBeenToldMembership: 'fails',
      toHaveBeenNotified: 'fails',
    });
    expect(named).toEqual(['toHaveDelivered', 'toMatchRetrySchedule', 'toArriveInOrder', 'toBeSignedWith']);
  },
);

test.each([
  ['stripe', 'toMatchRetrySchedule', [{ policy: {} }], 'without firstWaitMs, maxWaitMs, windowMs, deadlineMs the'],
  ['github', 'toMatchRetrySchedule', [{ policy: WITHOUT_DEADLINE }], 'without deadlineMs'],
  ['slack', 'toMatchRetrySchedule', [{ waits: ['5s'] }], 'without deadlineMs'],
  ['stripe', 'toMatchRetrySchedule', [], 'give the figures of its sender: policy: { firstWaitMs'],
  ['github', 'toArriveInOrder', [], 'give ids, in the order in which the events were accepted'],
  [
    'github',
    'toArriveInOrder',
    [{ ids: ['third'] }],
    'none of the 1 ids came: the first request is #1 (invoice.paid first)',
  ],
  ['stripe', 'toHaveDelivered', [{ event: 'Signed Up' }], 'wish for a type or an id'],
  ['twilio', 'toHaveDelivered', [{ type: 'message' }], 'the scheme twilio has no place for it; wish for a count'],
  ['slack', 'toHaveBeenNotified', [PARKED], 'look at other senders with toHaveDelivered'],
] as const)('what cannot be judged of %s by %s is said with the way out', async (of, name, given, words) => {
  const found = await judged(deliveryMatchers, name, await sentAs(SCHEMES[of], GOOD), given);
  expect(found).toEqual({ outcome: 'refuses', words: expect.stringContaining(words) });
});

test('a request that lacks the id of its scheme is refused, and one without any place for it is known by its body', async () => {
  const withId = OWN['custom with an id'];
  const bare = custom({ header: 'X-Own', algorithm: 'SHA-512', encoding: 'hex' });
  const sent = await sentAs(bare, GOOD, withId);
  expect(await judged(deliveryMatchers, 'toMatchRetrySchedule', sent, [POLICY])).toEqual({
    outcome: 'refuses',
    words: expect.stringContaining('custom has it in X-Own-Id, and #1 (invoice.paid) has not; give its endpoint'),
  });
  expect((await sentAs(bare, GOOD)).map((each) => Reflect.get(each, 'attempt'))).toEqual([1, 2, 1]);
});

test('type and id are looked for where the scheme has them', async () => {
  for (const name of ['stripe', 'github', 'shopify', 'slack', 'standard-webhooks'] as const) {
    const sent = await sentAs(SCHEMES[name], GOOD);
    expect(sent).toHaveDelivered({ type: 'invoice.paid', count: 2 });
    expect(sent).toHaveDelivered({ id: 'second', count: 1 });
    expect(sent).not.toHaveDelivered({ type: 'invoice.void' });
  }
});

test('another sender is not held to what only Waybill promises: a 4xx may be tried again, and retries may differ', async () => {
  const again: History = {
    script: '404,200',
    sent: [
      ['first', 0],
      ['first', 7_500],
    ],
  };
  expect(await sentAs(SCHEMES.stripe, again)).toMatchRetrySchedule(POLICY);
  expect(() => expect([]).toMatchRetrySchedule(POLICY)).toThrow(NotJudgedError);
  const ofWaybill = await sentAs(SCHEMES.waybill, again);
  expect(() => expect(ofWaybill).toMatchRetrySchedule(POLICY)).toThrow('refused for good');
});

test('the window of another sender begins with the first attempt', async () => {
  const late: History = {
    script: '503 x*',
    sent: [
      ['first', 0],
      ['first', 7_500],
    ],
  };
  const sent = await sentAs(SCHEMES.stripe, late);
  expect(() =>
    expect(sent).toMatchRetrySchedule({ policy: { ...POLICY.policy, windowMs: 3_000 }, toleranceMs: 0 }),
  ).toThrow(/after its window had ended: its first attempt came at/);
});

test('the functions behind the matchers are satisfied by nothing neither', async () => {
  expect(() => auditSchedule([])).toThrow(NotJudgedError);
  await expect(auditSignatures([], SECRET)).rejects.toThrow(NotJudgedError);
});
