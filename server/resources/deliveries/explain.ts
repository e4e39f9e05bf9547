import type { DeliveryStory, LoggedAttempt } from '../../model/logged-delivery.ts';
import { decisionWords, outcomeWords } from './attempt-words.ts';
import { hintsFor } from './hints.ts';
import { type Discretion, webhookWords } from './redact.ts';

/** One sentence of the story of a delivery. */
export interface Sentence {
  /** In milliseconds since the epoch. */
  readonly at: number;
  readonly text: string;
}

export interface Explanation {
  /** How it stands, in one sentence. */
  readonly summary: string;
  /** In the order in which it happened. */
  readonly timeline: readonly Sentence[];
  readonly hints: readonly string[];
}

/** A sentence with its place among those of the same millisecond: the number of its round. */
interface Told extends Sentence {
  readonly order: number;
}

const REPLAYED = 'It was replayed: four hours begin anew, for all webhooks.';

/** The story of a delivery in plain words: what happened, which rule decided, and what happens next (C-8, D-31). */
export function explain(story: DeliveryStory, discretion: Discretion): Explanation {
  const told: Told[] = [
    { at: story.receivedAt, order: 0, text: `The ${story.type} event was accepted.` },
    ...story.replayed.map(({ at, earlierRounds }) => ({ at, order: earlierRounds + 0.5, text: REPLAYED })),
    ...story.attempts.map((attempt) => attemptSentence(attempt, discretion)),
    ...endSentence(story),
  ];
  const timeline = told.toSorted((a, b) => a.at - b.at || a.order - b.order).map(({ at, text }) => ({ at, text }));
  return { summary: summaryOf(story), timeline, hints: hintsFor(story.attempts) };
}

function attemptSentence(attempt: LoggedAttempt, discretion: Discretion): Told {
  const { round, webhook, startedAt, durationMs, nextDueAt } = attempt;
  const due = nextDueAt === undefined ? '' : ` The next try was set for ${timeOf(nextDueAt)}.`;
  const who = webhookWords(webhook, discretion);
  const what = `${who} ${outcomeWords(attempt)} (round ${round}, after ${secondsOf(durationMs)})`;
  return { at: startedAt + durationMs, order: round, text: `${what}: ${decisionWords(attempt)}.${due}` };
}

function endSentence(story: DeliveryStory): Told[] {
  if (story.endedAt === undefined) return [];
  return [{ at: story.endedAt, order: story.rounds, text: summaryOf(story) }];
}

function summaryOf(story: DeliveryStory): string {
  const tries = `${story.attempts.length} attempt${story.attempts.length === 1 ? '' : 's'}`;
  switch (story.state) {
    case 'pending':
      return `It waits, after ${tries}; the next round is due at ${timeOf(story.dueAt ?? 0)}.`;
    case 'trying':
      return `Round ${story.rounds} is under way, after ${tries}.`;
    case 'delivered':
      return `It was delivered after ${tries}, ${secondsOf((story.endedAt ?? 0) - windowFrom(story))} ${since(story)}.`;
    case 'failed':
      return `It failed after ${tries}: every webhook refused it for good.`;
    case 'expired':
      return `It expired after ${tries}: the four hours ${since(story)} are over.`;
    case 'cancelled':
      return `It was cancelled after ${tries}: the destination was disabled or removed; a replay sends it again.`;
  }
}

/** When its four hours began, by the wall. */
function windowFrom({ receivedAt, replayed }: DeliveryStory): number {
  return replayed.at(-1)?.at ?? receivedAt;
}

function since({ replays }: DeliveryStory): string {
  return replays === 0 ? 'after it was accepted' : 'after its last replay';
}

function timeOf(at: number): string {
  return new Date(at).toISOString();
}

function secondsOf(ms: number): string {
  return `${Number((ms / 1000).toFixed(3))} s`;
}
