import { classOf } from '../../server/model/outcome.ts';
import { textOf } from '../receiver/received.ts';
import { eventIdOf, eventTypeOf, placesText, saidIn } from '../schemes/said.ts';
import { cameTo, NotJudgedError, wayOutFor } from './not-judged.ts';
import { answered, attemptsOf, isOfWaybill, nameOf, type Observed, type Violation } from './observed.ts';

export interface Wish {
  /** Where the scheme of the endpoint has it: of Stripe `type` of the body, of GitHub `X-GitHub-Event`. */
  readonly type?: string;
  /** The `event` of a track call of Waybill. */
  readonly event?: string;
  /** Which event it is: of Waybill its `messageId`, of Stripe its `id`, of GitHub `X-GitHub-Delivery`. */
  readonly id?: string;
  /** How many different events; default at least one. */
  readonly count?: number;
}

/** Whether the events that are meant arrived, and were taken: at least one attempt of each got a 2xx. */
export function auditDelivery(observed: readonly Observed[], wish: Wish = {}): readonly Violation[] {
  refuseUnsaid(observed, wish);
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

/** Throws for a wish about what none of the requests says: none could have met it, and none could have failed to. */
function refuseUnsaid(observed: readonly Observed[], { type, event, id }: Wish): void {
  const [first] = observed;
  if (first === undefined) return;
  if (event !== undefined && !observed.some(isOfWaybill))
    throw new NotJudgedError(`event is of track calls of Waybill, and ${cameTo(first)}; wish for a type or an id`);
  if (type !== undefined && observed.every((each) => eventTypeOf(each) === undefined))
    throw new NotJudgedError(unsaid(first, 'type', 'of what type it is'));
  if (id !== undefined && observed.every((each) => saidIn(each, each.scheme.places.id) === undefined))
    throw new NotJudgedError(unsaid(first, 'id', 'which event it is'));
}

function unsaid(first: Observed, place: 'id' | 'type', what: string): string {
  const { name, title, places } = first.scheme;
  const where = places[place];
  if (where.length > 0)
    return `no request says ${what}: ${title} has it in ${placesText(where)}; ${wayOutFor(first, 'send it, or wish for a count')}`;
  return `no request says ${what}: the scheme ${name} has no place for it; wish for a count, or give custom({ …, ${place}: { header: 'X-…' } })`;
}

function storyOf(attempts: readonly Observed[]): string {
  const [first] = attempts;
  const outcomes = attempts.map((each) => answered(each).outcome).join(', ');
  return `${first === undefined ? '' : nameOf(first)}: ${outcomes}`;
}

function matches(each: Observed, { type, event, id }: Wish): boolean {
  if (type !== undefined && eventTypeOf(each) !== type) return false;
  if (id !== undefined && eventIdOf(each) !== id) return false;
  return event === undefined || (isOfWaybill(each) && textOf(each, 'event') === event);
}

function describe({ type, event, id }: Wish): string {
  const words = [type ?? 'event', event === undefined ? '' : JSON.stringify(event), id ?? ''];
  return words.filter((word) => word !== '').join(' ');
}
