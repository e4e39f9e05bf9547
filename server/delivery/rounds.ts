import type { Claim, DeliveryId } from '../model/delivery.ts';
import { standardKey } from '../model/shared-secret.ts';
import { momentOf } from '../ports/clock.ts';
import type { DeliveryStorage } from '../storage/delivery-storage.ts';
import { carry, type CourierPorts, recordOf } from './courier.ts';
import type { Tenure } from './lease.ts';
import { memoized } from './memo.ts';
import type { QueueEvent } from './queue-events.ts';
import { type OnRecorded, type RecordedRound, Recorder } from './recorder.ts';
import { endWithout, isOver, type RoundEnd, verdictOfBroken } from './round.ts';
import { originOf, secretMask } from './secret-mask.ts';
import { UnderWay } from '../under-way.ts';
import { traceOf } from '../thrown.ts';

export interface RoundPorts extends Omit<CourierPorts, 'mayLeave' | 'shown' | 'maskOf' | 'keyOf'> {
  readonly store: Pick<DeliveryStorage, 'record'>;
}

/** Of so many targets is kept how their secrets are found: 6 KB of each, and making it takes as long as a round does. */
const MASKS = 10_000;

/** What a queue is told when the round of a claim begins. */
export function startOfRound(claim: Claim, { policy, clock }: Pick<RoundPorts, 'policy' | 'clock'>): QueueEvent {
  return { type: 'started', bytes: claim.bytes ?? 0, isOver: isOver(policy, claim, clock.steady()) };
}

/** The rounds under way in one life of this router, and what of them is not recorded yet. */
export class Rounds {
  readonly #ports: CourierPorts;
  readonly #recorder: Recorder;
  readonly #abort = new AbortController();
  readonly #underWay = new UnderWay<Claim>();
  /** Set by `fence`. */
  #isFenced = false;

  constructor(ports: RoundPorts, tenure: Tenure, onStored: OnRecorded) {
    this.#ports = {
      ...ports,
      mayLeave: () => tenure.holds,
      shown: memoized(originOf),
      maskOf: memoized(secretMask, MASKS),
      keyOf: memoized(standardKey),
    };
    this.#recorder = new Recorder(ports, onStored);
  }

  /** Whether so much is unwritten that nothing more is to be sent. */
  get isBehind(): boolean {
    return this.#recorder.isBehind;
  }

  async run(claim: Claim): Promise<RoundEnd> {
    const place = this.#underWay.begin(claim);
    const end = await carry(this.#ports, claim, this.#report, this.#abort.signal).catch((error: unknown) =>
      this.#onBroken(claim, error),
    );
    this.#underWay.end(place);
    return end;
  }

  /** Ends what is under way, as the router's own doing. */
  abort(): void {
    this.#abort.abort();
  }

  get aborted(): AbortSignal {
    return this.#abort.signal;
  }

  /**
   * The life is over, or about to be: what is under way ends, as if it had not been tried. What has ended before is still
   * recorded, as long as the storage takes it.
   */
  fence(): void {
    this.#isFenced = true;
    this.abort();
  }

  /** Resolves when all that has ended is recorded, or `signal` aborts. */
  recorded(signal: AbortSignal): Promise<void> {
    return this.#recorder.drained(signal);
  }

  /** The deliveries that are being tried, or were and are not recorded yet. */
  get known(): readonly DeliveryId[] {
    return [...this.#underWay, ...this.#recorder.unwritten()].map(({ delivery }) => delivery);
  }

  readonly #report = (record: RecordedRound): void => {
    if (!this.#isFenced) this.#recorder.add(record);
  };

  /** A round that could not be carried out, because of a bug or a failing port: it is tried again as any other. */
  #onBroken(claim: Claim, error: unknown): RoundEnd {
    const { policy, clock, random, log } = this.#ports;
    const reason = traceOf(error);
    log.error(
      { delivery: claim.delivery, destination: claim.destination, reason },
      'round failed with an internal error; it is tried again',
    );
    const now = momentOf(clock);
    this.#report(recordOf(claim, [], verdictOfBroken(policy, claim, now.steady, random), now));
    return endWithout('unjudged');
  }
}
