import type { Courier } from '../courier.ts';
import { accepted, told, wantAccepted } from '../expectations.ts';
import { failed, type Judgment, ofWaybill, passed, type Scenario, worst } from '../scenario.ts';

const GROWS =
  'The contract grows: what is new is accepted and ignored, so that an update of the router breaks nothing.';

/** What is allowed, or will be: a receiver accepts it. */
export const TOLERANCE_SCENARIOS: readonly Scenario[] = [
  {
    id: 'unknown-kind',
    title: 'A kind that is not known yet is accepted',
    expects: GROWS,
    notFor: ofWaybill,
    run: async (courier) => wantSentTaken(courier, 'an unknown kind', (event) => ({ ...event, type: 'merge' })),
  },
  {
    id: 'unknown-fields',
    title: 'Fields that are not known yet are accepted',
    expects: GROWS,
    notFor: ofWaybill,
    run: async (courier) =>
      wantSentTaken(courier, 'an unknown field', (event) => ({
        ...event,
        invented: { at: ['later'] },
        'With space': 1,
      })),
  },
  {
    id: 'anonymous',
    title: 'An event without a user is accepted',
    expects: 'Only some kinds always have a userId; the others may have an anonymousId alone.',
    notFor: ofWaybill,
    run: async (courier) => {
      const { userId: _nobody, ...event } = courier.event({ anonymousId: 'anonymous-1' });
      return accepted('an event without a userId', await courier.deliver(courier.messageOf(event)));
    },
  },
  {
    id: 'empty-properties',
    title: 'Empty objects are accepted',
    expects: 'properties, traits and context may be empty.',
    notFor: ofWaybill,
    run: async (courier) => wantAccepted(courier, 'an event with empty objects', { properties: {}, context: {} }),
  },
  {
    id: 'awkward-values',
    title: 'Awkward values are accepted',
    expects: 'Users name properties as they like, and nest them as deep as they like.',
    notFor: ofWaybill,
    run: async (courier) =>
      worst(
        await inTurn([
          async () =>
            wantAccepted(courier, 'a property named __proto__', {
              properties: JSON.parse('{"__proto__":{"admin":true},"constructor":1}'),
            }),
          async () => wantAccepted(courier, 'a NUL and a lone surrogate', { properties: { text: 'a\u0000b\ud800c' } }),
          async () => wantAccepted(courier, 'a hundred levels of nesting', { properties: { deep: nested(100) } }),
          async () =>
            wantAccepted(courier, 'large and small numbers', {
              properties: { large: 1e300, small: -1e-300, whole: 2 ** 60 },
            }),
          async () => wantAccepted(courier, 'an empty name', { properties: { '': null }, event: '' }),
        ]),
        'all five such events were accepted',
      ),
  },
  {
    id: 'malformed',
    title: 'A signed body that is no JSON is answered, and not with a 5xx',
    expects: 'A 5xx would bring the same bytes back for four hours.',
    run: async (courier) => {
      const judge = async (text: string): Promise<Judgment> => {
        const answer = await courier.send(courier.requestOf(Buffer.from(text)));
        const { outcome } = answer;
        if (outcome === 'delivered' || outcome === 'http_4xx') return passed(told(answer));
        return failed(`${JSON.stringify(text)} was answered ${told(answer)}; answer 400`);
      };
      const bodies = ['{"type":', 'null', '[]', '"text"', ''];
      const judgments = await inTurn(bodies.map((text) => async () => judge(text)));
      return worst(judgments, `${bodies.length} answered, none with a 5xx`);
    },
  },
];

async function wantSentTaken(courier: Courier, what: string, change: (event: object) => object): Promise<Judgment> {
  const { body } = courier.message();
  const event: object = JSON.parse(Buffer.from(body).toString('utf8'));
  return accepted(what, await courier.send(courier.requestOf(Buffer.from(JSON.stringify(change(event))))));
}

function nested(levels: number): unknown {
  return Array.from({ length: levels }).reduce<unknown>((inner) => ({ inner }), 'core');
}

/** One after another, so that a receiver that breaks at one of them is not blamed for another. */
async function inTurn(runs: readonly (() => Promise<Judgment>)[]): Promise<readonly Judgment[]> {
  const judgments: Judgment[] = [];
  for (const run of runs) judgments.push(await run());
  return judgments;
}
