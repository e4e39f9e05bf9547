import { NotJudgedError } from '../../audit/index.ts';
import { deliveryMatchers } from '../../vitest/index.ts';
import { endOf, observe, SECRET, type Situation, STATIC, type Twist } from './sender.ts';

/** Endpoints in which a sender can show what it does. */
const SITUATIONS: readonly Situation[] = [
  { script: '200', events: 14, hours: 2 },
  { script: '503x3,200', events: 14, hours: 3 },
  { script: 'silence:request x2,200', events: 7, hours: 2 },
  { script: '429+retry-after:2m,200', events: 7, hours: 2 },
  { script: '404', events: 7, hours: 2 },
  { script: '503 x*', events: 1, hours: 7 },
];

export interface Complaint {
  readonly matcher: 'toBeSignedWith' | 'toMatchRetrySchedule' | 'toHaveDelivered';
  readonly words: string;
}

/** What the matchers find wrong with a sender, in any situation. */
export async function complaints(twist: Twist, seed = 1): Promise<readonly Complaint[]> {
  const found = await Promise.all(
    SITUATIONS.map(async (situation) => {
      const sent = await observe(situation, twist, seed);
      const until = endOf(situation);
      const isTaken = situation.script.endsWith('200');
      const wish = { headers: STATIC, count: situation.events };
      return [
        ['toBeSignedWith', await deliveryMatchers.toBeSignedWith(sent, SECRET)],
        ['toMatchRetrySchedule', said(() => deliveryMatchers.toMatchRetrySchedule(sent, { until, toleranceMs: 0 }))],
        ...(isTaken ? ([['toHaveDelivered', deliveryMatchers.toHaveDelivered(sent, wish)]] as const) : []),
      ] as const;
    }),
  );
  return found.flat().flatMap(([matcher, { pass, message }]) => (pass ? [] : [{ matcher, words: message() }]));
}

/** What cannot be judged is not accepted either. */
function said(judge: () => Verdict): Verdict {
  try {
    return judge();
  } catch (error) {
    if (!(error instanceof NotJudgedError)) throw error;
    return { pass: false, message: () => error.message };
  }
}

interface Verdict {
  readonly pass: boolean;
  readonly message: () => string;
}

export interface Kill {
  readonly sender: string;
  readonly complaints: readonly Complaint[];
}

/** Tries senders, and says by which matchers each was caught. */
export async function killsOf(senders: Readonly<Record<string, Twist>>): Promise<readonly Kill[]> {
  const kills: Kill[] = [];
  for (const [sender, twist] of Object.entries(senders)) kills.push({ sender, complaints: await complaints(twist) });
  return kills;
}
