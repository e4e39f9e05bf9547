import { auditContract, type ContractOptions } from '../audit/contract-audit.ts';
import { auditDelivery, type Wish } from '../audit/delivery-audit.ts';
import { auditMembership, type MembershipWish } from '../audit/membership-audit.ts';
import { auditNotices, type NoticeWish } from '../audit/notice-audit.ts';
import type { Observed, Violation } from '../audit/observed.ts';
import { auditOrder, type OrderOptions } from '../audit/order-audit.ts';
import { auditRate, type RateOptions } from '../audit/rate-audit.ts';
import { auditSchedule, type ScheduleOptions } from '../audit/schedule-audit.ts';
import { auditSignatures } from '../audit/signature-audit.ts';
import type { SchemeChoice } from '../schemes/schemes.ts';
import { refuseUnclear } from '../receiver/known-names.ts';

export type { ContractOptions } from '../audit/contract-audit.ts';
export type { Wish } from '../audit/delivery-audit.ts';
export type { MembershipWish } from '../audit/membership-audit.ts';
export type { NoticeWish } from '../audit/notice-audit.ts';
export type { Observed, Violation } from '../audit/observed.ts';
export type { OrderOptions } from '../audit/order-audit.ts';
export type { RateOptions } from '../audit/rate-audit.ts';
export type { ScheduleOptions } from '../audit/schedule-audit.ts';

/** What the matchers look at: a receiver, an endpoint of MSW or nock, or requests that were recorded. */
export type Sent = readonly Observed[] | { readonly received: readonly Observed[] };

export interface SignatureOptions {
  /** Default that of the endpoint that took each request. */
  readonly scheme?: SchemeChoice;
}

/**
 * Every matcher, whatever runs the tests; `R` is what an assertion answers there. What a matcher cannot judge it refuses with
 * an error, also when it is turned round by `not`: requests of a sender that has nothing of what it looks at.
 */
export interface DeliveryMatchers<R> {
  /** The events arrived, were taken with a 2xx, and every request keeps the contract: method, headers, and of Waybill the body. */
  toHaveDelivered(wish?: Wish & ContractOptions): R;
  /** Attempts came when the schedule says: none too early or too late, after a success, after the window. Other senders need `policy`. */
  toMatchRetrySchedule(options?: ScheduleOptions): R;
  /** Requests to each webhook keep to the limits of their destination. */
  toRespectRate(options: RateOptions): R;
  /** The events of each user came in the order in which they were accepted, one after the other. Other senders need `ids`. */
  toArriveInOrder(options?: OrderOptions): R;
  /** Every request is signed with the secret, as the scheme of its endpoint signs; with null, none is signed at all. Await it. */
  toBeSignedWith(secret: string | null, options?: SignatureOptions): Promise<void>;
  /** Of Waybill: the last call about a user that was taken says that it is in an audience, or not (`value: false`), or has a trait's value; none says it twice. */
  toHaveBeenToldMembership(wish: MembershipWish): R;
  /** Of Waybill: so many notices of this type were taken, about a destination or audience; none came a second time, and parked and recovered took turns. */
  toHaveBeenNotified(wish: NoticeWish): R;
}

/** The table of matchers, as `expect.extend` takes it; each answers whether it holds, and says why not. */
export const deliveryMatchers = {
  toHaveDelivered: (sent: unknown, wish: Wish & ContractOptions = {}) => {
    const observed = requestsIn(sent);
    refuseUnclear('toHaveDelivered', wish, OF_WISH);
    return verdict('the deliveries', [...auditDelivery(observed, wish), ...auditContract(observed, wish)], observed);
  },
  toMatchRetrySchedule: (sent: unknown, options: ScheduleOptions = {}) => {
    const observed = requestsIn(sent);
    return verdict('the retry schedule', auditSchedule(observed, options), observed);
  },
  toRespectRate: (sent: unknown, options: RateOptions) => {
    const observed = requestsIn(sent);
    refuseUnclear('toRespectRate', options, OF_RATE);
    if (options.perSecond === undefined && options.inFlight === undefined)
      throw new TypeError('toRespectRate needs perSecond, inFlight or both');
    return verdict('the rate', auditRate(observed, options), observed);
  },
  toArriveInOrder: (sent: unknown, options: OrderOptions = {}) => {
    const observed = requestsIn(sent);
    refuseUnclear('toArriveInOrder', options, OF_ORDER);
    return verdict('the order', auditOrder(observed, options), observed);
  },
  toBeSignedWith: async (sent: unknown, secret: string | null, options: SignatureOptions = {}) => {
    const observed = requestsIn(sent);
    refuseUnclear('toBeSignedWith', options, ['scheme']);
    if (secret === undefined)
      throw new TypeError('toBeSignedWith was given undefined; give the secret, or null for none');
    const violations = await auditSignatures(observed, secret ?? undefined, options.scheme);
    return verdict('the signatures', violations, observed);
  },
  toHaveBeenToldMembership: (sent: unknown, wish: MembershipWish) => {
    const observed = requestsIn(sent);
    refuseUnclear('toHaveBeenToldMembership', wish, OF_MEMBERSHIP);
    return verdict(`what was told of ${wish.user}`, auditMembership(observed, wish), observed);
  },
  toHaveBeenNotified: (sent: unknown, wish: NoticeWish) => {
    const observed = requestsIn(sent);
    refuseUnclear('toHaveBeenNotified', wish, OF_NOTICE);
    return verdict('the notices', auditNotices(observed, wish), observed);
  },
};

const OF_MEMBERSHIP = ['audience', 'user', 'value'] as const satisfies readonly (keyof MembershipWish)[];
const OF_NOTICE = ['type', 'destination', 'audience', 'times'] as const satisfies readonly (keyof NoticeWish)[];
const OF_WISH = ['type', 'event', 'id', 'count', 'headers'] as const satisfies readonly (keyof (Wish &
  ContractOptions))[];
const OF_RATE = ['perSecond', 'inFlight', 'toleranceMs'] as const satisfies readonly (keyof RateOptions)[];
const OF_ORDER = ['ids', 'toleranceMs'] as const satisfies readonly (keyof OrderOptions)[];
const LISTED = 12;

function verdict(what: string, violations: readonly Violation[], observed: readonly Observed[]) {
  const listed = violations.slice(0, LISTED).map(({ rule, words }) => `  ${rule}: ${words}`);
  const more = violations.length > LISTED ? [`  … and ${violations.length - LISTED} more`] : [];
  const requests = `${observed.length} ${observed.length === 1 ? 'request' : 'requests'}`;
  return {
    pass: violations.length === 0,
    message: () =>
      violations.length === 0
        ? `Expected something wrong with ${what} of ${requests}, but there is nothing`
        : [`Something is wrong with ${what} of ${requests}:`, ...listed, ...more].join('\n'),
  };
}

/** Requests, whatever holds them. */
function requestsIn(sent: unknown): readonly Observed[] {
  const list: unknown = typeof sent === 'object' && sent !== null && 'received' in sent ? sent.received : sent;
  if (Array.isArray(list) && list.every(isObserved)) return list;
  throw new TypeError('expect() was given neither a receiver nor a list of its requests');
}

function isObserved(value: unknown): value is Observed {
  return typeof value === 'object' && value !== null && 'turn' in value && 'body' in value && 'scheme' in value;
}
