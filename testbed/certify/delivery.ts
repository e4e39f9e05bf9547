import { StallWatch } from '../../server/delivery/stall-watch.ts';
import { carry } from '../../server/delivery/courier.ts';
import { secretMask } from '../../server/delivery/secret-mask.ts';
import { DEFAULT_POLICY } from '../../server/model/policy.ts';
import type { Target } from '../../server/delivery/target.ts';
import { type Attempt, deliveryId, type RoundRecord } from '../../server/model/delivery.ts';
import type { Log } from '../../server/ports/log.ts';
import type { Event } from '../../server/model/message.ts';
import type { Transport } from '../../server/ports/transport.ts';
import { systemClock } from '../receiver/system-clock.ts';

const SOURCE = 'workspaces/certify/sources/certify';
const SILENT: Log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

export interface DeliveryParts {
  readonly target: Target;
  readonly transport: Transport;
  readonly deadlineMs: number;
}

/** One round of the production engine for one event: what its attempt log would keep of it (D-31). */
export async function deliverOnce({ target, transport, deadlineMs }: DeliveryParts, event: Event): Promise<Attempt> {
  const records: RoundRecord[] = [];
  const ports = {
    policy: { ...DEFAULT_POLICY, deadlineMs },
    clock: systemClock,
    // It only draws when a next round is due, and there is none.
    random: () => 0,
    transport,
    mayLeave: () => true,
    stalls: new StallWatch(systemClock),
    targets: () => target,
    log: SILENT,
    shown: (url: string) => url,
    maskOf: secretMask,
  };
  const message = { source: SOURCE, receivedAt: systemClock.now(), event };
  const claim = {
    delivery: deliveryId('1'),
    node: 'certify',
    epoch: 1,
    destination: `${SOURCE}/destinations/webhooks`,
    message,
    round: 1,
    tries: 0,
    closed: [],
  };
  await carry(ports, claim, (record) => records.push(record), new AbortController().signal);
  const [attempt] = records.flatMap(({ attempts }) => attempts);
  if (attempt === undefined) throw new Error('the engine made no attempt');
  return attempt;
}
