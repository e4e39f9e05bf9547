import { failed, type Judgment, passed } from '../../certify/scenario.ts';
import { spanText } from '../../report/time-text.ts';
import { notArrived, notJudged, type SenderScenario } from '../scenario.ts';
import { isTaken, type Sent, type TriedEvent, waitsOf } from '../sent.ts';
import type { Trial } from '../trial.ts';
import { delayFor } from './holding.ts';

const AT_ONCE = 6;
const OUTAGE_EVENTS = 4;
/** An event that takes so many times as long as usual waits for something. */
const PATIENCE = 3;
/** A wait may be so many times as long as the one before. */
const GROWTH = 4;
const IN_ORDER = notJudged('it sends events in order, one after the other, as --ordered says');

const sideBySide: SenderScenario = {
  id: 'side-by-side',
  title: `${AT_ONCE} events at once`,
  expects: 'Events go out side by side: one slow answer must not hold up all later events.',
  async run(trial) {
    if (trial.promised.isOrdered) return IN_ORDER;
    const delay = delayFor(trial);
    if (trial.gapMs > delay / 2) return notJudged(`its limit keeps events ${spanText(trial.gapMs)} apart`);
    const events = await trial.askMany(AT_ONCE, () => `200+delay:${delay}ms`);
    const isEach = () => events.every(({ attempts }) => attempts.some(({ end }) => end !== undefined));
    await trial.until(isEach, trial.times.arrivalMs + AT_ONCE * (delay + trial.gapMs));
    const came = events.filter(({ attempts }) => attempts.length > 0);
    if (came.length < AT_ONCE) return notJudged(`${came.length} of ${AT_ONCE} events came in time`);
    const most = mostAtOnce(came.flatMap(({ attempts }) => attempts));
    // Who has less time for all answers than for its own way may seem to wait for them.
    const usual = usualMs(trial);
    if (most === 1 && (AT_ONCE - 1) * delay <= AT_ONCE * usual) return tooSlow(usual);
    if (most === 1) return { verdict: 'advice', words: 'they came one after the other; send several side by side' };
    return passed(`all came, up to ${most} at once`);
  },
};

const notHeldUp: SenderScenario = {
  id: 'not-held-up',
  title: 'An event behind one that fails',
  expects: 'An event that waits for its retry must not hold up the others.',
  async run(trial) {
    if (trial.promised.isOrdered) return IN_ORDER;
    const fails = { until: Number.POSITIVE_INFINITY };
    const { event: failing, first } = await trial.askAndMeet((_attempt, _event, at) =>
      at < fails.until ? '503' : '200',
    );
    if (first === undefined) return notArrived(trial);
    // Retries fail for longer than an event takes by itself: one may come sooner than that, whoever waits for whom.
    const patience = PATIENCE * (usualMs(trial, failing) + trial.gapMs);
    if (patience > trial.times.arrivalMs / 2) return tooSlow(patience / PATIENCE);
    fails.until = trial.now() + patience;
    const next = await trial.ask(() => '200');
    await trial.until(() => next.attempts.length > 0, trial.times.arrivalMs);
    return next.attempts[0] === undefined ? notArrived(trial) : judgeHeldUp(trial, failing, next.attempts[0], next);
  },
};

async function judgeHeldUp(trial: Trial, failing: TriedEvent, came: Sent, next: TriedEvent): Promise<Judgment> {
  const words = `the next event came ${spanText(Math.max(0, came.at - next.askedAt))} after it was asked for`;
  const before = failing.attempts.filter(({ number }) => number < came.number);
  failing.plan = () => '200';
  if (before.length === 1) return passed(`${words}, before the retry`);
  if (before.some(({ step }) => step === '200'))
    return {
      verdict: 'advice',
      words: `${words}, only once the one before was answered 200; send events side by side`,
    };
  // One after the other too they come like this, where the failing one was given up.
  const grown = GROWTH * Math.max(...waitsOf(before));
  await trial.until(() => failing.attempts.length > before.length, Math.max(trial.times.retryMs, grown));
  if (failing.attempts.length > before.length) return passed(`${words}, while the one before failed`);
  return notJudged('the event before was given up before the next one came');
}

const outage: SenderScenario = {
  id: 'outage',
  title: 'Events of an outage arrive after it',
  expects: 'What was made while an endpoint was down arrives once it is well again.',
  async run(trial) {
    const { arrivalMs, longestMs, quietMs, retryMs } = trial.times;
    const down = { until: Number.POSITIVE_INFINITY };
    const events = await trial.askMany(OUTAGE_EVENTS, (_attempt, _event, at) => (at < down.until ? '503' : '200'));
    await trial.until(() => events.every(({ attempts }) => attempts.length > 0), arrivalMs);
    down.until = trial.now() + Math.min(longestMs, 1.5 * quietMs);
    await trial.until(() => events.every(isDelivered), down.until - trial.now() + Math.max(longestMs, 2 * retryMs));
    const arrived = events.filter(isDelivered);
    if (arrived.length < OUTAGE_EVENTS)
      return notJudged(`${arrived.length} of ${OUTAGE_EVENTS} events had arrived when the time was over`);
    const last = Math.max(...arrived.flatMap(({ attempts }) => attempts.map(({ at }) => at)));
    return passed(`all ${OUTAGE_EVENTS} arrived, the last ${spanText(Math.max(0, last - down.until))} after its end`);
  },
};

/** What never came at all is lost: that an event was refused, or a retry is late, is no reason. */
const allArrive: SenderScenario = {
  id: 'all-arrive',
  title: 'Every event arrives',
  expects: 'Each event that was asked for is tried at least once, whatever became of the others.',
  async run(trial) {
    const missing = () =>
      trial.desk.events.filter(({ attempts, scenario }) => attempts.length === 0 && !isOfTls(scenario));
    await trial.until(() => missing().length === 0, trial.times.arrivalMs);
    const asked = trial.desk.events.length;
    const lost = missing().filter(({ askedAt }) => trial.now() - askedAt >= trial.times.arrivalMs);
    if (lost.length > 0)
      return failed(
        `${lost.length} of ${asked} never came (first missed in ${lost[0]?.scenario ?? ''}); keep events until they are answered 2xx`,
      );
    if (missing().length > 0) return notJudged(`the time was over before ${missing().length} of ${asked} had come`);
    return passed(`all ${asked} came`);
  },
};

const lastEvent: SenderScenario = {
  id: 'last-event',
  title: 'A good event in the end arrives',
  expects: 'An endpoint that is well again gets its events, whatever it answered before.',
  hasReserve: true,
  async run(trial) {
    const { event, first } = await trial.askAndMeet(() => '200');
    if (first !== undefined) return passed(`it came after ${spanText(Math.max(0, first.at - event.askedAt))}`);
    if (trial.now() - event.askedAt < trial.times.arrivalMs) return notJudged('the time was over');
    return failed(
      `it did not come within ${spanText(trial.times.arrivalMs)}; go on sending to an endpoint that is well again`,
    );
  },
};

export const TOGETHER_SCENARIOS: readonly SenderScenario[] = [sideBySide, notHeldUp];
export const RECOVERY_SCENARIOS: readonly SenderScenario[] = [outage, lastEvent];
export const ARRIVAL_SCENARIOS: readonly SenderScenario[] = [allArrive];

export function isOfTls(scenario: string): boolean {
  return scenario.startsWith('tls-');
}

/** What an event takes from being asked for to its request: the first one of the run, which had nothing to wait for, and another. */
function usualMs({ desk }: Trial, other?: TriedEvent): number {
  const took = [desk.events[0], other].map((event) => (event?.attempts[0]?.at ?? 0) - (event?.askedAt ?? 0));
  return Math.max(0, ...took);
}

function tooSlow(usual: number): Judgment {
  return notJudged(`an event takes ${spanText(usual)} to come, too long to tell what it waits for`);
}

function isDelivered({ attempts }: TriedEvent): boolean {
  return attempts.some(isTaken);
}

function mostAtOnce(sent: readonly Sent[]): number {
  return Math.max(...sent.map(({ at }) => sent.filter((one) => isUnderWay(one, at)).length));
}

function isUnderWay({ at: from, end }: Sent, at: number): boolean {
  return from <= at && (end === undefined || end.at > at);
}
