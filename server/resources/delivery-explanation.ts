import { TOLD_ID } from '../audiences/identify-call.ts';
import { originOf } from '../delivery/secret-mask.ts';
import { classOf, isOwnDoing, type Outcome } from '../model/outcome.ts';
import type { DeliveryStory, LoggedAttempt } from '../model/logged-delivery.ts';
import { MAX_TOLD } from '../storage/delivery-log.ts';
import type { Discretion } from './delivery-story.ts';

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

const REPLAYED = 'It was replayed: a new window of four hours began, for all webhooks.';

/** The story of a delivery in plain words: what happened, which rule decided, and what happens next (C-8, D-31). */
export function explain(story: DeliveryStory, discretion: Discretion): Explanation {
  const told: Told[] = [
    { at: story.receivedAt, order: 0, text: `The ${story.type} event was accepted.` },
    ...story.replayed.map(({ at, earlierRounds }) => ({ at, order: earlierRounds + 0.5, text: REPLAYED })),
    ...story.attempts.map((attempt) => attemptSentence(attempt, discretion)),
    ...endSentence(story),
  ];
  const timeline = told.toSorted((a, b) => a.at - b.at || a.order - b.order).map(({ at, text }) => ({ at, text }));
  return { summary: waitWords(story, discretion) ?? summaryOf(story), timeline, hints: hintsFor(story.attempts) };
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

/** Of what is not sent, since its destination may be sent only so much (HOOK-24), or not yet (HOOK-25). */
function waitWords(
  { state, dueAt = Infinity, attempts }: DeliveryStory,
  { limits = {}, inOrder = false, now }: Discretion,
): string | undefined {
  if (state !== 'pending') return undefined;
  const { perSecond, inFlight } = limits;
  if (inOrder && attempts.length === 0) {
    return 'It waits for its turn: its destination gets the events of each user in order, one at a time.';
  }
  if (dueAt > now || (perSecond === undefined && inFlight === undefined)) return undefined;
  const settings = [
    ...(perSecond === undefined ? [] : [`maxPerSecond is ${perSecond}`]),
    ...(inFlight === undefined ? [] : [`maxInFlight is ${inFlight}`]),
  ];
  return `It is due after ${attemptsWords(attempts)}, and held by the limits of its destination: ${settings.join(', ')}.`;
}

function attemptsWords({ length }: readonly LoggedAttempt[]): string {
  return `${length} attempt${length === 1 ? '' : 's'}${length < MAX_TOLD ? '' : ' or more'}`;
}

function summaryOf(story: DeliveryStory): string {
  const tries = attemptsWords(story.attempts);
  switch (story.state) {
    case 'pending':
      return `It waits, after ${tries}; the next round is due at ${timeOf(story.dueAt ?? 0)}.`;
    case 'trying':
      return `Round ${story.rounds} is in progress, after ${tries}.`;
    case 'delivered':
      return `It was delivered after ${tries}, ${secondsOf((story.endedAt ?? 0) - windowFrom(story))} ${since(story)}.`;
    case 'failed':
      return `It failed after ${tries}: every webhook rejected it permanently.`;
    case 'expired':
      return `It expired after ${tries}: the four hours ${since(story)} are over.`;
    case 'cancelled':
      return `It was cancelled after ${tries}: ${isTelling(story) ? WHY_NOT_TOLD : WHY_CANCELLED}.`;
  }
}

const WHY_CANCELLED = 'the destination was disabled or removed; a replay sends it again';
const WHY_NOT_TOLD =
  'a later value was told of this user, or the destination was disabled, removed, made anew or taken off the audience, ' +
  'or the user was suppressed; the next sync tells what holds then';

function isTelling({ type, messageId }: DeliveryStory): boolean {
  return type === 'identify' && TOLD_ID.test(messageId);
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

/** Tells webhooks of one host apart without their paths. */
function webhookWords(url: string, { numberOf }: Discretion): string {
  const number = numberOf(url);
  return number === undefined ? originOf(url) : `Webhook ${number} at ${originOf(url)}`;
}

/** What an attempt led to for its webhook. */
export type Next = 'delivered' | 'retried' | 'closed' | 'none';

/** How each outcome is said of a webhook, where no status says it. */
const WORDS: Readonly<Record<Outcome, string>> = {
  delivered: 'took it',
  redirect_refused: 'sent a redirect',
  http_408: 'asked for another try',
  http_425: 'asked for a later try',
  http_429: 'asked for fewer requests',
  http_4xx: 'refused it',
  http_5xx: 'failed',
  http_other: 'returned an invalid HTTP status',
  dns_error: 'has a host name that could not be resolved',
  blocked_address: 'resolves to a forbidden address, so nothing was sent',
  connect_refused: 'refused the connection',
  connect_timeout: 'could not be connected to in time',
  tls_untrusted: 'has a self-signed certificate, so nothing was sent',
  tls_expired: 'has a certificate that has expired, so nothing was sent',
  tls_other: 'could not be reached over TLS, so nothing was sent',
  write_timeout: 'did not read the request in time',
  first_byte_timeout: 'did not answer in time',
  reset: 'broke the connection',
  protocol_error: 'sent a malformed HTTP response',
  cancelled: 'was aborted, because the router was stopping',
  router_stalled: 'timed out, because the router itself was blocked',
  router_exhausted: 'could not be connected to, because the router ran out of files, ports or memory',
};

/** The first part of a sentence about the webhook: `answered 503`. */
function outcomeWords({ outcome, status }: Pick<LoggedAttempt, 'outcome' | 'status'>): string {
  return status === undefined ? WORDS[outcome] : `answered ${status}`;
}

export function nextOf({ outcome, nextDueAt }: Pick<LoggedAttempt, 'outcome' | 'nextDueAt'>): Next {
  if (nextDueAt !== undefined) return 'retried';
  switch (classOf(outcome)) {
    case 'success':
      return 'delivered';
    case 'permanent':
      return 'closed';
    case 'temporary':
      return 'none';
  }
}

/** What the router did itself is held against nobody. */
const OWN_DOING = {
  retried: 'not caused by the receiver: it is tried again soon, and the attempt does not count',
  none: 'not caused by the receiver, and not tried again, because the delivery ended with this round',
} as const;

/** The rule that decided, in words (D-31). */
export function decisionWords(attempt: LoggedAttempt): string {
  if (isOwnDoing(attempt.outcome)) return OWN_DOING[attempt.nextDueAt === undefined ? 'none' : 'retried'];
  switch (nextOf(attempt)) {
    case 'delivered':
      return 'a success ends the delivery, and no webhook is tried again for it';
    case 'retried':
      return 'a temporary failure is tried again within the four hours';
    case 'closed':
      return attempt.outcome === 'tls_untrusted'
        ? 'a self-signed certificate is not trusted: this webhook is not tried again for this event'
        : 'a permanent failure: this webhook is not tried again for this event';
    case 'none':
      return 'a temporary failure that was not tried again, because the delivery ended with this round';
  }
}

/** What may help, by HTTP status … */
const BY_STATUS: Readonly<Record<number, string>> = {
  401: 'the receiver does not accept the credentials: check the static headers of the webhook, and the shared secret',
  403: 'the receiver does not accept the credentials: check the static headers of the webhook, and the shared secret',
  404: 'the receiver does not know this path: check the URL of the webhook',
  405: 'the receiver does not accept POST at this path: check the URL of the webhook',
  410: 'the endpoint is gone: remove the webhook, or set its new URL',
  413: 'the receiver does not accept bodies of this size: raise its limit above 32 KB',
  415: 'the receiver wants another content type: bodies are sent as application/json',
};

/** … and by outcome. */
const BY_OUTCOME: Readonly<Partial<Record<Outcome, string>>> = {
  redirect_refused: 'redirects are not followed: give the webhook the URL at which the redirect ends',
  http_429: 'the receiver limits requests: its `Retry-After` is honored within the four hours',
  http_4xx: 'the receiver rejected the request, and a retry would not change that: see its answer',
  http_5xx: 'the receiver itself failed: its own log at these times may say why',
  dns_error: 'the host name was not found: check its spelling, and its DNS entry',
  blocked_address: 'addresses that are not public are reached only if the router is started with --allow-networks',
  connect_refused: 'nothing listens at this host and port: check that the receiver runs, and the port of the URL',
  connect_timeout: 'nothing answers at this host: a firewall may drop the packets',
  tls_untrusted: 'the certificate is self-signed: use one of a certificate authority that is publicly trusted',
  tls_expired: 'the certificate has expired: renew it',
  tls_other: 'the TLS connection was not made: check host name, chain and TLS version of the receiver',
  first_byte_timeout: 'answers must arrive within 5 s: answer first, and work afterwards',
  write_timeout: 'the request was not read within 5 s: the receiver may be overloaded',
  reset: 'the receiver closed the connection without an answer: it may have been restarted, or be overloaded',
  router_stalled: 'the router itself was blocked: its machine is overloaded, or was paused',
  router_exhausted:
    'the router had no file, port or memory left for a connection: its operator raises the limit (`ulimit -Hn`), or lowers --max-connections',
  protocol_error: 'the server does not speak HTTP/1.1: check port and scheme of the URL',
};

/** One hint for each kind of failure among the attempts, the most frequent first, with how often it happened. */
function hintsFor(attempts: readonly LoggedAttempt[]): string[] {
  const counts = new Map<string, number>();
  for (const { outcome, status } of attempts) {
    const hint = BY_STATUS[status ?? 0] ?? BY_OUTCOME[outcome];
    if (hint !== undefined) counts.set(hint, (counts.get(hint) ?? 0) + 1);
  }
  const sorted = [...counts].toSorted(([, a], [, b]) => b - a);
  return sorted.map(([hint, count]) => `${count} of ${attempts.length} attempts: ${hint}`);
}
