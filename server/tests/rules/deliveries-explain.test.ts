import { deliveryId } from '../../model/delivery.ts';
import { expect, test } from 'vitest';
import { identifyCall } from '../../audiences/identify-call.ts';
import { explain as explainTo } from '../../resources/delivery-explanation.ts';
import { type Discretion, discretionOf, storyResource } from '../../resources/delivery-story.ts';
import { EVALUATION_STEPS } from '../../evaluation/budget.ts';
import { createTurns, inSlices, TURN_STEPS } from '../../fairness/turns.ts';
import type { DeliveryStory, LoggedAttempt } from '../../model/logged-delivery.ts';
import type { Outcome } from '../../model/outcome.ts';
import { FAILURES } from '../../ports/transport.ts';
import { MAX_TOLD } from '../../storage/delivery-log.ts';
import { destination } from '../support/config-resources.ts';
import { momentAt } from '../support/still-clock.ts';

const NOW = Date.UTC(2026, 0, 1);
const HOUR = 3_600_000;

function explain(told: DeliveryStory): ReturnType<typeof explainTo> {
  return explainTo(told, {
    redact: (text) => text,
    numberOf: (url) => (url.startsWith('https://a.test/hook') ? 2 : undefined),
    now: NOW,
  });
}

function attempt(fields: Partial<LoggedAttempt>): LoggedAttempt {
  const base = {
    webhook: 'https://a.test/hook?key=k3y',
    number: 0,
    startedAt: NOW,
    durationMs: 120,
    round: 1,
  } as const;
  return { ...base, outcome: 'http_5xx', excerpt: '', rule: 'temporary_failure_is_retried', ...fields };
}

function story(fields: Partial<DeliveryStory>): DeliveryStory {
  return {
    delivery: deliveryId('1'),
    messageId: 'm1',
    type: 'track',
    event: 'Ordered',
    userId: 'u1',
    state: 'delivered',
    rounds: 1,
    replays: 0,
    receivedAt: NOW,
    attempts: [],
    replayed: [],
    ...fields,
  };
}

/** Of a story of nine attempts that were answered like this. */
function slices(excerpt: string): readonly number[] {
  const told = story({ attempts: Array.from({ length: 9 }, () => attempt({ excerpt })) });
  return [...storyResource('d', told, DISCRETION)];
}

const DISCRETION: Discretion = { redact: (text) => text, numberOf: () => undefined, now: 0 };

test('D-31: an attempt of an earlier version has its rule named as later ones have', async () => {
  const told = story({ state: 'failed', attempts: [attempt({ rule: 'HOOK-9' })] });
  const { rounds } = await inSlices(createTurns(), storyResource('d', told, DISCRETION));
  expect(rounds[0]?.attempts[0]?.rule).toBe('temporary_failure_is_retried');
});

test('D-31: each attempt says which rule decided, and what happens next', () => {
  const attempts = [attempt({ status: 503, nextDueAt: NOW + 10_120 })];
  const { summary, timeline, hints } = explain(story({ state: 'pending', dueAt: NOW + 10_120, attempts }));
  expect(timeline).toEqual([
    { at: NOW, text: 'The track event was accepted.' },
    {
      at: NOW + 120,
      text:
        'Webhook 2 at https://a.test answered 503 (round 1, after 0.12 s): a temporary failure is tried again within the four ' +
        'hours. The next try was set for 2026-01-01T00:00:10.120Z.',
    },
  ]);
  expect(summary).toBe('It waits, after 1 attempt; the next round is due at 2026-01-01T00:00:10.120Z.');
  expect(hints).toEqual(['1 of 1 attempts: the receiver itself failed: its own log at these times may say why']);
});

test.each([
  ['trying', {}, 'Round 1 is in progress, after 1 attempt.'],
  ['delivered', { endedAt: NOW + 120 }, 'It was delivered after 1 attempt, 0.12 s after it was accepted.'],
  ['failed', { endedAt: NOW + 120 }, 'It failed after 1 attempt: every webhook rejected it permanently.'],
  ['expired', { endedAt: NOW + 4 * HOUR }, 'the four hours after it was accepted are over.'],
  ['cancelled', { endedAt: NOW + 5 }, 'the destination was disabled or removed; a replay sends it again.'],
] as const)('a delivery that is %s says so in a sentence', (state, fields, words) => {
  expect(explain(story({ state, ...fields, attempts: [attempt({})] })).summary).toContain(words);
});

test('AUD-8: of a cancelled call of an audience it is said that the next sync tells what holds', () => {
  const workspace = { name: 'workspaces/main', id: 'main' };
  const about = { name: 'workspaces/main/audiences/aud_1', kind: 'audiences', key: 'buyers', workspace } as const;
  const { event } = identifyCall(about, { destination: 'd', user: 'u1', value: 'true', sync: 1 }, momentAt(NOW));
  const told = story({ type: 'identify', messageId: event.messageId, state: 'cancelled', endedAt: NOW + 5 });
  expect(explain(told).summary).toBe(
    'It was cancelled after 0 attempts: a later value was told of this user, or the destination was disabled, removed, made anew ' +
      'or taken off the audience, or the user was suppressed; the next sync tells what holds then.',
  );
});

test('HOOK-11: a self-signed certificate is told with a way out', () => {
  const attempts = [attempt({ outcome: 'tls_untrusted', rule: 'untrusted_certificate_ends' })];
  const { timeline, hints } = explain(story({ state: 'failed', endedAt: NOW + 120, attempts }));
  expect(timeline[1]?.text).toContain('has a self-signed certificate, so nothing was sent');
  expect(hints).toEqual([expect.stringContaining('publicly trusted')]);
});

test('the most frequent failure is hinted at first, and counted', () => {
  const kinds: Outcome[] = ['first_byte_timeout', 'connect_refused', 'first_byte_timeout'];
  const { hints } = explain(story({ attempts: kinds.map((outcome) => attempt({ outcome })) }));
  expect(hints.map((hint) => hint.slice(0, 16))).toEqual(['2 of 3 attempts:', '1 of 3 attempts:']);
});

test('SAFE-2: a turn of the event loop is full after an answer of 1 KB that is searched for secrets, or some fifty short ones', () => {
  const [long, short] = [slices('x'.repeat(1_024)), slices('ok')];
  expect([long.length, short.length]).toEqual([9, 9]);
  expect(Math.min(...long)).toBeGreaterThanOrEqual(TURN_STEPS / 2);
  expect(Math.max(...long)).toBeLessThanOrEqual(EVALUATION_STEPS);
  expect(Math.max(...short)).toBeLessThan(TURN_STEPS / 20);
});

test('what is told of very many attempts is told as of the last of them', () => {
  const attempts = Array.from({ length: MAX_TOLD }, () => attempt({}));
  expect(explain(story({ state: 'failed', attempts })).summary).toMatch(/^It failed after 500 attempts or more: /);
});

test('every outcome has words, and no word shows a path or a query string', () => {
  const outcomes: Outcome[] = [...FAILURES, 'delivered', 'redirect_refused', 'http_4xx', 'http_429', 'http_other'];
  for (const outcome of outcomes) {
    const { timeline } = explain(story({ attempts: [attempt({ outcome })] }));
    expect(timeline[1]?.text, outcome).toMatch(/^Webhook 2 at https:\/\/a\.test [a-z][\w ,-]+ \(round 1/);
    expect(JSON.stringify(timeline)).not.toMatch(/k3y|hook\?|\/hook/);
  }
});

test('a text that was cut within a secret shows nothing of it', () => {
  const config = [{ name: 'x/config/sharedSecret', display_name: '', type: 'string', value: 'abcdefgh' }] as const;
  const { redact } = discretionOf({ ...destination('workspaces/main/sources/js'), config: [...config] }, 0);
  expect(redact('it is abcdefgh, or abcde')).toBe('it is [masked], or [masked]');
  expect(redact('no secret: abc')).toBe('no secret: abc');
});
