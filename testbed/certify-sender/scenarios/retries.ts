import { failed, type Judgment, passed } from '../../certify/scenario.ts';
import { spanText } from '../../report/time-text.ts';
import { elsewhereOf } from '../identity.ts';
import { notArrived, notJudged, notRetried, type SenderScenario } from '../scenario.ts';
import { atFirst, endOf, type Sent, type TriedEvent, waitsOf } from '../sent.ts';
import type { Trial } from '../trial.ts';

const AGAIN = 'An event that was not answered 2xx is tried again later: the endpoint may only be restarting.';
/** Enough attempts to see whether waits grow. */
const ATTEMPTS = 6;
/** What a timer and a network may take from a wait. */
const TOLERANCE_MS = 50;

export const SCHEDULE_ID = 'retry-500';

/** The first failing event shows when the sender tries again; the other scenarios wait by that. */
const schedule: SenderScenario = {
  id: SCHEDULE_ID,
  title: 'Retries after a 500',
  expects: AGAIN,
  async run(trial) {
    const { times } = trial;
    const until = trial.now() + times.scheduleMs;
    const event = await trial.ask((attempt, { attempts }, at) => {
      const waited = at - endOf(attempts.at(-1), at);
      return attempt < ATTEMPTS && at + 2 * waited < until ? '500' : '200';
    });
    await trial.until(() => event.attempts.length > 0, times.arrivalMs);
    const isOver = () => event.attempts.at(-1)?.step === '200';
    await trial.until(isOver, until - trial.now());
    event.plan = () => '200';
    const waits = waitsOf(event.attempts);
    times.firstWaitMs = waits[0];
    const last = event.attempts.at(-1);
    if (last === undefined) return notArrived(trial);
    return waits.length === 0 ? notRetried(trial, last) : passed(`tried again after ${waits.map(spanText).join(', ')}`);
  },
};

/** The first attempt meets the fault, all later ones are well. */
function retried(id: string, title: string, step: string, expects = AGAIN): SenderScenario {
  return {
    id,
    title,
    expects,
    async run(trial) {
      const { event, first } = await trial.askAndMeet(atFirst(step));
      return first === undefined ? notArrived(trial) : retryOf(trial, event, first);
    },
  };
}

/** Waits for the attempt after the first one. */
export async function retryOf(trial: Trial, event: TriedEvent, first: Sent): Promise<Judgment> {
  await trial.until(() => event.attempts.length > 1, trial.times.retryMs);
  const [wait] = waitsOf(event.attempts);
  return wait === undefined ? notRetried(trial, first) : passed(`tried again after ${spanText(wait)}`);
}

function waitAsked(id: string, title: string, stepFor: (seconds: number) => string): SenderScenario {
  return {
    id,
    title,
    expects: 'Retry-After says when an endpoint can take more: what comes earlier makes an overload worse.',
    async run(trial) {
      const { askedMs, firstWaitMs, retryMs } = trial.times;
      const step = stepFor(askedMs / 1_000);
      const { event, first } = await trial.askAndMeet(atFirst(step));
      if (first === undefined) return notArrived(trial);
      // A date is rounded up to its whole second.
      await trial.until(() => event.attempts.length > 1, askedMs + 1_000 + retryMs);
      const [wait] = waitsOf(event.attempts);
      if (wait === undefined) return notRetried(trial, first);
      const told = `tried again after ${spanText(wait)}, asked for were ${spanText(askedMs)}`;
      // From the arrival on: when the answer had left is known a moment too late.
      const [, second = first] = event.attempts;
      if (second.at - first.at < askedMs - TOLERANCE_MS) return failed(`${told}; wait as long as Retry-After says`);
      if (firstWaitMs === undefined || askedMs < firstWaitMs * 1.3)
        return notJudged(`${told}, but it may have waited as long by itself; give a larger --budget`);
      return passed(told);
    },
  };
}

/** Where a redirect points is no address that anybody has given to the sender. */
function redirected(status: number): SenderScenario {
  return {
    id: `redirect-${status}`,
    title: `A redirect (${status}) is not followed`,
    expects: 'An endpoint that redirects could make the sender ask addresses inside of its own network.',
    async run(trial) {
      const { event, first } = await trial.askAndMeet((attempt, { mark }) => {
        return attempt === 1 ? `${status}+to:"${elsewhereOf(mark)}"` : '200';
      });
      if (first === undefined) return notArrived(trial);
      await trial.until(() => event.elsewhere.length > 0, trial.times.quietMs);
      const [followed] = event.elsewhere;
      if (followed !== undefined) return failed(`it followed with a ${followed.method}; count a redirect as a failure`);
      return passed(event.attempts.length > 1 ? 'not followed, tried again later' : 'not followed');
    },
  };
}

/** A repeat of what was taken, or refused for good, within the time in which retries come. */
function notRepeated(id: string, title: string, step: string, repeated: Judgment, expects: string): SenderScenario {
  return {
    id,
    title,
    expects,
    async run(trial) {
      const { event, first } = await trial.askAndMeet(atFirst(step));
      if (first === undefined) return notArrived(trial);
      await trial.until(() => event.attempts.length > 1, trial.times.quietMs);
      if (event.attempts.length > 1) return repeated;
      if (trial.times.firstWaitMs === undefined)
        return notJudged('no retry of anything was seen, so that none of this one says nothing');
      return passed(`no repeat within ${spanText(trial.times.quietMs)}`);
    },
  };
}

const SUCCESS = 'Every 2xx is a success: a sender that insists on 200 sends everything again.';

export const SCHEDULE_SCENARIOS: readonly SenderScenario[] = [schedule];

export const RETRY_SCENARIOS: readonly SenderScenario[] = [
  retried('retry-503', 'Retry after a 503', '503'),
  retried('retry-429', 'Retry after a 429', '429'),
  waitAsked('retry-after-seconds', 'Retry-After in seconds', (seconds) => `429+retry-after:${seconds}s`),
  waitAsked('retry-after-date', 'Retry-After as a date', (seconds) => `429+retry-after-date:${seconds}s`),
  waitAsked('retry-after-503', 'Retry-After with a 503', (seconds) => `503+retry-after:${seconds}s`),
  retried('retry-reset', 'Retry after a reset connection', 'reset:request'),
  retried('retry-close', 'Retry after a connection closed without an answer', 'close:request'),
  retried('retry-garbage', 'Retry after an answer that is no HTTP', 'malformed:garbage'),
  redirected(302),
  redirected(307),
  notRepeated(
    'refusal-400',
    'A 400 is final',
    '400',
    { verdict: 'advice', words: 'it was tried again; a 4xx says that the same request will be refused again' },
    'An endpoint that refuses an event refuses its repeats: they are load without use.',
  ),
  ...[201, 204].map((status) =>
    notRepeated(
      `success-${status}`,
      `A ${status} is a success`,
      String(status),
      failed(`it was tried again after a ${status}; count every 2xx as a success`),
      SUCCESS,
    ),
  ),
];
