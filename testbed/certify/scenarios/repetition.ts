import type { Answer, Courier, Message } from '../courier.ts';
import { told } from '../expectations.ts';
import { failed, type Judgment, ofWaybill, passed, type Scenario, skipped } from '../scenario.ts';

const TWICE = 'Delivery is at least once: a repeat is answered 2xx as well, and handled once, by its id.';
const AT_ONCE = 8;
const HOUR = 3_600_000;

export const REPETITION_SCENARIOS: readonly Scenario[] = [
  {
    id: 'duplicate-later',
    title: 'The same event one after another',
    expects: TWICE,
    run: async (courier) => {
      const event = courier.message();
      const answers = [await courier.deliver(event), await courier.deliver(event), await courier.deliver(event)];
      return takenOnce(courier, event, answers, 'a repeat');
    },
  },
  {
    id: 'duplicate-at-once',
    title: 'The same event several times at once',
    expects: `${TWICE} What comes while the first is handled may be asked to come again, with a 503.`,
    run: async (courier) => {
      const event = courier.message();
      const all = await Promise.all(Array.from({ length: AT_ONCE }, async () => courier.deliver(event)));
      const answers = all.filter((answer) => !isBusy(answer));
      // As the sender would: the first may have failed meanwhile.
      if (answers.length < all.length) answers.push(await courier.deliver(event));
      return takenOnce(courier, event, answers, 'one of several at once');
    },
  },
  {
    id: 'out-of-order',
    title: 'Events that come later than younger ones',
    expects: 'Retries change the order: an older event after a younger one is accepted.',
    notFor: ofWaybill,
    run: async (courier) => {
      const times = [0, -2 * HOUR, -HOUR, -4 * HOUR].map((ms) => new Date(Date.now() + ms).toISOString());
      const answers: Answer[] = [];
      for (const time of times) {
        answers.push(
          await courier.deliver(courier.message({ timestamp: time, receivedAt: time, originalTimestamp: time })),
        );
      }
      return allTaken(answers, 'an event out of order');
    },
  },
  {
    id: 'event-once',
    title: 'An event that came once is handled once',
    expects: 'What is answered 2xx was done, or will be.',
    run: async (courier) => {
      const event = courier.message();
      return takenOnce(courier, event, [await courier.deliver(event)], 'an event');
    },
  },
];

/** Another one of the same event is being handled: this is how the receiver kit says so. */
function isBusy({ status }: Answer): boolean {
  return status === 503;
}

export function allTaken(answers: readonly Answer[], what: string): Judgment {
  const refused = answers.find(({ outcome }) => outcome !== 'delivered');
  if (refused !== undefined) return failed(`${what} was not accepted: ${told(refused)}; answer 2xx`);
  const slowest = Math.round(Math.max(...answers.map(({ ms }) => ms)));
  if (answers.length === 1) return passed(`accepted after ${slowest} ms`);
  return passed(`all ${answers.length} were accepted, the slowest after ${slowest} ms`);
}

async function takenOnce(
  courier: Courier,
  event: Message,
  answers: readonly Answer[],
  what: string,
): Promise<Judgment> {
  const judgment = allTaken(answers, what);
  if (judgment.verdict === 'failed') return judgment;
  const handled = await courier.handled(event.id);
  if (handled === undefined) return skipped(`${judgment.words}; how often it was handled was not observed`);
  if (handled === 1) return passed(`${judgment.words}, and handled once`);
  return failed(
    `it was accepted ${answers.length} times, and handled ${handled} times; handle each event once, by its id`,
  );
}
