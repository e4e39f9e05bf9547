import { failed, type Judgment, passed } from '../../certify/scenario.ts';
import { answered } from '../../audit/observed.ts';
import { disorderIn, type Placed } from '../../audit/order-audit.ts';
import { notArrived, notJudged, notRetried, type SenderScenario } from '../scenario.ts';
import type { Plan, TriedEvent } from '../sent.ts';
import type { Trial } from '../trial.ts';
import { delayFor } from './holding.ts';

/** What timers may take from an answer that is late. */
const TOLERANCE_MS = 5;
const WELL = '200';
/** What the first attempt of each event meets. */
const FIRST_STEPS = ['503', WELL, 'reset:request', WELL, WELL];

/** In one line all that is asked for: what is behind an event that fails has to wait for it. */
const order: SenderScenario = {
  id: 'order',
  title: 'Events behind one that fails wait for it',
  expects: 'Who is promised an order writes the last value: an event that overtakes another makes an old one the last.',
  async run(trial) {
    const { arrivalMs, retryMs } = trial.times;
    if (!trial.promised.isOrdered)
      return notJudged('whether it keeps an order is not known; say with --ordered that it does');
    const answer = `${WELL}+delay:${delayFor(trial)}ms`;
    const events: TriedEvent[] = [];
    // One after the other: those that are asked for at once have no order.
    for (const step of FIRST_STEPS) events.push(await trial.ask(failingAtFirst(step, answer)));
    const failing = FIRST_STEPS.filter((step) => step !== WELL).length;
    const all = () =>
      events.every(({ attempts }) => attempts.some(({ end, step }) => step === answer && end !== undefined));
    await trial.until(all, arrivalMs + failing * retryMs + events.length * (trial.gapMs + delayFor(trial)));
    return judge(trial, events);
  },
};

export const ORDER_SCENARIOS: readonly SenderScenario[] = [order];

function failingAtFirst(step: string, answer: string): Plan {
  return (attempt) => (attempt === 1 && step !== WELL ? step : answer);
}

function judge(trial: Trial, events: readonly TriedEvent[]): Judgment {
  const [wrong] = disorderIn(events.flatMap(placed), TOLERANCE_MS);
  if (wrong !== undefined)
    return failed(`${wrong.words}; hold an event back until the one before is answered 2xx, or given up`);
  const held = events.find(({ attempts }, index) => FIRST_STEPS[index] !== WELL && attempts.length === 1);
  if (held?.attempts[0] !== undefined) return notRetried(trial, held.attempts[0]);
  const came = events.filter(({ attempts }) => attempts.length > 0).length;
  if (came === 0) return notArrived(trial);
  if (came < events.length) return notJudged(`${came} of ${events.length} events came in time`);
  const isMarked = events.every(({ attempts }) => attempts.every((sent) => trial.desk.isMarked(sent)));
  const alone = isMarked ? '' : '; write {mark} into the trigger to see which of two new events comes first';
  return passed(`all ${events.length} came one after the other, behind retries too${alone}`);
}

function placed({ attempts }: TriedEvent, index: number): Placed[] {
  return attempts.map((sent, attempt) => {
    const { at, number } = sent;
    const name = `attempt ${attempt + 1} of event ${index + 1}`;
    return { at, number, place: index, endedAt: answered(sent).endedAt, name };
  });
}
