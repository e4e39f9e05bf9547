import { failed, type Judgment, passed } from '../../certify/scenario.ts';
import { spanText } from '../../report/time-text.ts';
import { notArrived, notJudged, type SenderScenario } from '../scenario.ts';
import { atFirst } from '../sent.ts';
import type { Trial } from '../trial.ts';
import { retryOf } from './retries.ts';

const ENDS = 'An endpoint that hangs must not hold a connection, and a place in the queue, for ever.';
/** Who waits longer for one answer is held up by a single endpoint. */
const TOO_LONG_MS = 60_000;
const HUGE = '64MB';
const TIMEOUT_ID = 'timeout';

/** How the first attempt ended that met `step`; undefined when the event did not come. */
async function held(trial: Trial, step: string): Promise<Judgment | { readonly ms: number; readonly whole: boolean }> {
  const { first } = await trial.askAndMeet(atFirst(step));
  if (first === undefined) return notArrived(trial);
  await trial.until(() => first.end !== undefined, trial.times.holdMs);
  if (first.end !== undefined) return { ms: first.end.at - first.at, whole: first.end.ending === 'completed' };
  const waited = trial.now() - first.at;
  if (waited >= TOO_LONG_MS) return failed(`it still waited after ${spanText(waited)}; give up an answer in time`);
  return notJudged(`it still waited after ${spanText(waited)}; give a larger --budget`);
}

function ends(id: string, title: string, step: string): SenderScenario {
  return {
    id,
    title,
    expects: ENDS,
    async run(trial) {
      const seen = await held(trial, step);
      return 'verdict' in seen ? seen : passed(`it hung up after ${spanText(seen.ms)}`);
    },
  };
}

/** The event that was not answered: what became of it. */
const timeoutRetried: SenderScenario = {
  id: 'timeout-retried',
  title: 'Retry after no answer',
  expects: 'What was not answered may not have been handled: it is tried again.',
  async run(trial) {
    const event = trial.eventsOf(TIMEOUT_ID)[0];
    const first = event?.attempts[0];
    if (event === undefined || first?.end === undefined) return notJudged('the sender was not seen to give up');
    return retryOf(trial, event, first);
  },
};

const huge: SenderScenario = {
  id: 'huge-answer',
  title: 'A huge answer',
  expects: 'Only the beginning of an answer matters: whoever reads all of it lets endpoints fill its memory.',
  async run(trial) {
    const seen = await held(trial, `200+size:${HUGE}`);
    if ('verdict' in seen) return seen;
    if (seen.whole) return { verdict: 'advice', words: `it read all of ${HUGE}; stop after what you keep` };
    return passed(`it hung up before the end of ${HUGE}`);
  },
};

export const HOLDING_SCENARIOS: readonly SenderScenario[] = [
  ends(TIMEOUT_ID, 'No answer', 'silence:request'),
  timeoutRetried,
  ends('slow-head', 'An answer whose headers come drop by drop', 'drip-headers:1B/1s'),
  ends('slow-body', 'A 200 whose body never ends', '200+drip:1B/1s'),
  huge,
];

/** So late that events that go out side by side meet, and well before the sender gives up. */
export function delayFor(trial: Trial): number {
  const [first] = trial.eventsOf(TIMEOUT_ID)[0]?.attempts ?? [];
  const deadline = first?.end === undefined ? 4_000 : first.end.at - first.at;
  return Math.max(10, Math.min(1_000, Math.floor(deadline / 4)));
}
