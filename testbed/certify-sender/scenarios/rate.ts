import { failed, type Judgment, passed } from '../../certify/scenario.ts';
import { earlyAmong } from '../../audit/rate-audit.ts';
import { spanText } from '../../report/time-text.ts';
import { notArrived, notJudged, notRetried, type SenderScenario } from '../scenario.ts';
import { type Sent, type TriedEvent } from '../sent.ts';
import type { Trial } from '../trial.ts';

/** What a network may move a request, and a sender its timers. */
const TOLERANCE_MS = 100;
/** Of what a limit lets through in a second, so much at once: who sends half as much again comes too early by more than all tolerances. */
const SHARE = 0.6;
const FEWEST = 4;
const MOST = 64;
/** Senders hold an endpoint back, or give it up, where very many requests in a row fail. */
const MOST_FAILING = 8;
/** A date of Retry-After is in whole seconds. */
const SECOND = 1_000;
const BURST_ID = 'burst';
const NO_LIMIT =
  'no limit is known; say with --max-per-second how many requests it promises to send in a second at most';

const burst: SenderScenario = {
  id: BURST_ID,
  title: 'More events at once than its limit lets through',
  expects: 'A limit holds events back, and loses none of them.',
  async run(trial) {
    const { maxPerSecond } = trial.promised;
    if (maxPerSecond === undefined) return notJudged(NO_LIMIT);
    const events = await trial.askMany(burstOf(maxPerSecond, MOST), () => '200');
    await trial.until(() => events.every(hasCome), trial.times.arrivalMs + events.length * trial.gapMs);
    const came = events.flatMap(({ attempts: [first] }) => first ?? []);
    if (came.length < events.length) return notJudged(`${came.length} of ${events.length} events came in time`);
    return passed(`all ${events.length} came, within ${spanText(spanOf(came))}`);
  },
};

/** All are told to come again at the same moment, with the first ones that are new. */
const burstRetries: SenderScenario = {
  id: 'burst-retries',
  title: 'More retries at once than its limit lets through',
  expects: 'Retries count for the limit as first attempts do: an endpoint that recovers is not overrun by them.',
  async run(trial) {
    const { maxPerSecond } = trial.promised;
    if (maxPerSecond === undefined) return notJudged(NO_LIMIT);
    const count = burstOf(maxPerSecond, MOST_FAILING);
    const holdMs = trial.times.askedMs + count * trial.gapMs;
    let due: number | undefined;
    const events = await trial.askMany(count, (attempt, _event, at) => {
      due ??= Math.ceil((at + holdMs) / SECOND) * SECOND;
      const seconds = Math.floor((due - at) / SECOND);
      return attempt === 1 && seconds > 0 ? `429+retry-after-date:${seconds}s` : '200';
    });
    const { arrivalMs, retryMs } = trial.times;
    await trial.until(() => events.every(hasCome), arrivalMs + count * trial.gapMs);
    if (!events.every(hasCome)) return notArrived(trial);
    await trial.until(() => events.every(isTakenIn), holdMs + SECOND + retryMs + count * trial.gapMs);
    const missing = events.find((event) => !isTakenIn(event))?.attempts.at(-1);
    if (missing !== undefined) return notRetried(trial, missing);
    const last = events.flatMap(({ attempts }) => attempts.at(-1) ?? []);
    return passed(`all ${count} came again, within ${spanText(spanOf(last))}`);
  },
};

/** Whatever it was that came: a limit that only some requests keep is none for the endpoint. */
const rate: SenderScenario = {
  id: 'rate',
  title: 'Requests keep to its limit',
  expects: 'An endpoint is sized for what its sender promises: what comes faster is an overload.',
  run(trial) {
    const { maxPerSecond } = trial.promised;
    if (maxPerSecond === undefined) return notJudged(NO_LIMIT);
    const sent = trial.desk.sent.filter(({ isElsewhere }) => !isElsewhere);
    const early = earlyAmong(sent, maxPerSecond, TOLERANCE_MS);
    const worst = early.toSorted((a, b) => b.byMs - a.byMs)[0];
    if (worst !== undefined) return tooFast(trial, worst, early.length, maxPerSecond);
    if (!wasFelt(trial, maxPerSecond))
      return notJudged(`events were not made faster than ${maxPerSecond} a second, so that no limit was needed`);
    return passed(`${sent.length} requests, at most ${maxPerSecond} a second`);
  },
};

export const BURST_SCENARIOS: readonly SenderScenario[] = [burst, burstRetries];
export const RATE_SCENARIOS: readonly SenderScenario[] = [rate];

function burstOf(maxPerSecond: number, most: number): number {
  return Math.min(most, Math.max(FEWEST, Math.ceil(SHARE * maxPerSecond) + 2));
}

function tooFast(
  { desk, gapMs }: Trial,
  { request, byMs }: { readonly request: Sent; readonly byMs: number },
  count: number,
  maxPerSecond: number,
): Judgment {
  const event = desk.events.find(({ attempts }) => attempts.includes(request));
  const place = event === undefined ? '' : ` (attempt ${event.attempts.indexOf(request) + 1} in ${event.scenario})`;
  return failed(
    `${count} of ${desk.sent.length} requests came too early for ${maxPerSecond} a second, by up to ${spanText(byMs)}${place}; send at most one every ${spanText(gapMs)}, retries too`,
  );
}

/** Whether events were made so fast that a sender without a limit could have gone beyond it, and some had to wait. */
function wasFelt(trial: Trial, maxPerSecond: number): boolean {
  const made = trial.eventsOf(BURST_ID).flatMap(({ madeAt, attempts: [first] }) => {
    return madeAt === undefined || first === undefined ? [] : [{ at: madeAt, heldMs: first.at - madeAt }];
  });
  const inTime = made.toSorted((a, b) => a.at - b.at);
  return earlyAmong(inTime, maxPerSecond, TOLERANCE_MS).length > 0 && made.some(({ heldMs }) => heldMs > TOLERANCE_MS);
}

function hasCome({ attempts }: TriedEvent): boolean {
  return attempts.length > 0;
}

function isTakenIn({ attempts }: TriedEvent): boolean {
  return attempts.some(({ step }) => step === '200');
}

function spanOf(sent: readonly Sent[]): number {
  const times = sent.map(({ at }) => at);
  return Math.max(...times) - Math.min(...times);
}
