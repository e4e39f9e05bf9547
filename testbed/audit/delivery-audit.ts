import { classOf } from '../../server/model/outcome.ts';
import { textOf } from '../receiver/received.ts';
import { answered, attemptsOf, nameOf, type Observed, type Violation } from './observed.ts';

export interface Wish {
  readonly type?: string;
  /** The `event` of a track call. */
  readonly event?: string;
  readonly messageId?: string;
  /** How many different events; default at least one. */
  readonly count?: number;
}

/** Whether the events that are meant arrived, and were taken: at least one attempt of each got a 2xx. */
export function auditDelivery(observed: readonly Observed[], wish: Wish = {}): readonly Violation[] {
  const events = attemptsOf(observed.filter((each) => matches(each, wish)));
  const taken = events.filter((attempts) => attempts.some((each) => classOf(answered(each).outcome) === 'success'));
  const wanted = wish.count ?? 1;
  const isEnough = wish.count === undefined ? taken.length >= 1 : taken.length === wanted;
  if (isEnough) return [];
  const refused = events.filter((attempts) => !taken.includes(attempts)).map((attempts) => storyOf(attempts));
  const others = observed.filter((each) => !matches(each, wish)).map(nameOf);
  const words = [
    `${taken.length} of ${wish.count === undefined ? 'at least 1' : wanted} ${describe(wish)} delivered`,
    ...refused.map((story) => `  not accepted: ${story}`),
    ...(others.length === 0
      ? []
      : [`  other requests: ${others.slice(0, 10).join(', ')}${others.length > 10 ? ', …' : ''}`]),
    ...(observed.length === 0 ? ['  nothing arrived at all'] : []),
  ];
  return [{ rule: 'delivery', words: words.join('\n') }];
}

function storyOf(attempts: readonly Observed[]): string {
  const [first] = attempts;
  const outcomes = attempts.map((each) => answered(each).outcome).join(', ');
  return `${first === undefined ? '' : nameOf(first)}: ${outcomes}`;
}

function matches(each: Observed, { type, event, messageId }: Wish): boolean {
  const wanted = { type, event, messageId };
  return Object.entries(wanted).every(([field, value]) => value === undefined || textOf(each, field) === value);
}

function describe({ type, event, messageId }: Wish): string {
  const words = [type ?? 'event', event === undefined ? '' : JSON.stringify(event), messageId ?? ''];
  return words.filter((word) => word !== '').join(' ');
}
