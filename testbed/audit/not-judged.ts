import { eventIdOf, placesText } from '../schemes/said.ts';
import { signedByOther } from '../schemes/schemes.ts';
import { isOfWaybill, nameOf, type Observed } from './observed.ts';

/** Nothing can be said of the requests: neither that all is well with them, nor that something is wrong. */
export class NotJudgedError extends Error {
  override readonly name = 'NotJudgedError';
}

/** `#1 (invoice.paid evt_1) came to an endpoint with the scheme stripe`. */
export function cameTo(each: Observed): string {
  return `${nameOf(each)} came to an endpoint with the scheme ${each.scheme.name}`;
}

/** Requests to endpoints of Waybill's scheme. Throws where only others came: they say nothing about `what`. */
export function ofWaybill(observed: readonly Observed[], what: string): readonly Observed[] {
  const own = observed.filter(isOfWaybill);
  const [other] = observed;
  if (own.length > 0 || other === undefined) return own;
  throw new NotJudgedError(
    `${what} is about events of Waybill, and ${cameTo(other)}; leave scheme out where Waybill sends, and look at other senders with toHaveDelivered({ type, count })`,
  );
}

/** Throws where nothing arrived: neither that requests keep to something nor that they do not is shown by none. */
export function refuseNothing(observed: readonly Observed[]): void {
  if (observed.length > 0) return;
  throw new NotJudgedError(
    'nothing arrived at all, and that shows neither that requests are right nor that they are wrong',
  );
}

/** Throws for a request that does not say which event it is of: its attempts are not known then. */
export function refuseUnknownEvents(observed: readonly Observed[], what: string): void {
  const unknown = observed.find((each) => eventIdOf(each) === undefined);
  if (unknown === undefined) return;
  const { title, places } = unknown.scheme;
  const wayOut = wayOutFor(unknown, 'give its endpoint the scheme of its sender, or leave the request out');
  throw new NotJudgedError(
    `${what} finds attempts by the event that they are of: ${title} has it in ${placesText(places.id)}, and ${nameOf(unknown)} has not; ${wayOut}`,
  );
}

/** What to do about a request that does not say what its scheme has: the other scheme that it is signed by, or else. */
export function wayOutFor(each: Observed, otherwise: string): string {
  const other = signedByOther(each, each.scheme);
  if (other === undefined) return otherwise;
  return `${nameOf(each)} is signed as ${other.title} signs: give its endpoint the scheme ${other.name}`;
}
