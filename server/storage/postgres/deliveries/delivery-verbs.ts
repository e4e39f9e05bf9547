import type { DeliveryStorage } from '../../delivery-storage.ts';
import { type AcceptParts, Accepts } from './accept.ts';
import { backlog, unfinished } from './backlog.ts';
import { claim } from './claim.ts';
import { held, release } from './held.ts';
import { record } from './record.ts';

export function deliveryVerbs(parts: AcceptParts): DeliveryStorage {
  const accepts = new Accepts(parts);
  return {
    accept: (request) => accepts.accept(request),
    claim: claim(parts),
    record: record(parts),
    release: release(parts),
    held: held(parts),
    backlog: backlog(parts),
    unfinished: unfinished(parts),
  };
}
