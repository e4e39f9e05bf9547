import type { Answer } from '../courier.ts';
import { accepted, wantAccepted } from '../expectations.ts';
import { withSignature } from '../forgery.ts';
import { ofWaybill, type Scenario } from '../scenario.ts';
import { breakOff, sendInPieces } from '../slow-sender.ts';
import { allTaken } from './repetition.ts';

const SIDE_BY_SIDE = 24;
const IN_A_ROW = 40;
/** An event may have 32 KB where it is accepted; letters of three bytes and the other fields make more of it. */
const LARGEST = 32_000;

export const LOAD_SCENARIOS: readonly Scenario[] = [
  {
    id: 'large',
    title: 'The largest event is accepted',
    expects: 'Events may have 32 KB, and their bodies somewhat more.',
    notFor: ofWaybill,
    run: async (courier) =>
      wantAccepted(courier, 'an event of 32 KB', { properties: { text: 'ß'.repeat(LARGEST / 2) } }),
  },
  {
    id: 'slow-body',
    title: 'A request that arrives in pieces is accepted',
    expects: 'Networks cut requests where they like: the body is read to its end before it is checked.',
    run: async (courier) =>
      accepted(
        'a request in pieces',
        await sendInPieces(courier, courier.requestFor(courier.message({ properties: { text: 'x'.repeat(9_000) } }))),
      ),
  },
  {
    id: 'cut-off',
    title: 'A request that breaks off is accepted when it comes again',
    expects:
      'A sender may be killed in the middle of a request. What was half is forgotten, and the whole is accepted.',
    run: async (courier) => {
      const event = courier.message({ properties: { text: 'x'.repeat(9_000) } });
      await breakOff(courier.requestFor(event));
      await courier.pause();
      return accepted('a request that broke off before, sent again whole', await courier.deliver(event));
    },
  },
  {
    id: 'connection-reuse',
    title: 'Many requests on one connection',
    expects: 'The router keeps connections open; a receiver that ends one says so with Connection: close.',
    run: async (courier) => {
      const before = courier.connections;
      const answers: Answer[] = [];
      for (let count = 0; count < IN_A_ROW; count += 1) {
        answers.push(await courier.deliver(courier.message()));
        const request = courier.requestFor(courier.message());
        if (count === 2) await courier.send(withSignature(request, courier.scheme, () => 'wrong'));
      }
      const judgment = allTaken(answers, 'a request on a connection that was used before');
      const opened = courier.connections - before;
      if (judgment.verdict === 'failed') return judgment;
      if (opened < IN_A_ROW / 2)
        return {
          ...judgment,
          words: `${judgment.words}, over ${opened <= 1 ? 'one connection' : `${opened} connections`}`,
        };
      return {
        verdict: 'advice',
        words: `${judgment.words}, but over ${opened} connections: keep them open, and save the time to open them`,
      };
    },
  },
  {
    id: 'side-by-side',
    title: 'Many events at once',
    expects: 'Up to 32 requests come at a time; each is answered within the five seconds of its deadline.',
    run: async (courier) =>
      allTaken(
        await Promise.all(Array.from({ length: SIDE_BY_SIDE }, async () => courier.deliver(courier.message()))),
        'one of many events at once',
      ),
  },
  {
    id: 'quick',
    title: 'Answers come soon',
    expects: 'After five seconds an answer comes too late: do the work after it.',
    run: async (courier) => {
      const answer = await courier.deliver(courier.message());
      if (answer.outcome !== 'delivered' || answer.ms < courier.deadlineMs / 2) return accepted('an event', answer);
      return { verdict: 'advice', words: `it took ${Math.round(answer.ms)} ms: under load that will be too late` };
    },
  },
  {
    id: 'still-well',
    title: 'After all of this the receiver is still well',
    expects: 'Nothing of what came before has broken it.',
    run: async (courier) => wantAccepted(courier, 'a last event'),
  },
];
