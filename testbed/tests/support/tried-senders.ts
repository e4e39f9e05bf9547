import type { Result } from '../../certify/certify.ts';
import { certifySenderIn, type CertifySenderOptions, type SenderReport } from '../../certify-sender/certify-sender.ts';
import { SimulatedTransport } from '../../simulation/simulated-transport.ts';
import { VirtualClock } from '../../simulation/virtual-clock.ts';
import { FLAWED_MODEL_SENDERS } from './flawed-model-senders.ts';
import { type Flaw, MODEL_SECRET, ModelSender } from './model-sender.ts';
import { inVirtualTime, VirtualStand } from './virtual-stand.ts';

const PROMISED_MS = 60_000;

/** What a sender promises beside its retries. */
export type Promises = Pick<CertifySenderOptions, 'maxPerSecond' | 'ordered' | 'idField'>;

/** Runs all scenarios against the model, in virtual time. */
export async function tryModel(
  flaw: Flaw,
  budgetMs = 1_800_000,
  retryWithinMs = PROMISED_MS,
  promises: Promises = {},
): Promise<SenderReport> {
  const clock = new VirtualClock();
  const stand = new VirtualStand(clock, flaw.manners);
  const sender = new ModelSender(clock, new SimulatedTransport(clock, stand.endpoint), flaw);
  return inVirtualTime(
    clock,
    certifySenderIn(
      { clock, open: stand.open },
      {
        trigger: sender.trigger,
        budgetMs,
        retryWithinMs,
        secret: MODEL_SECRET,
        scheme: 'standard-webhooks',
        ...promises,
      },
    ),
  );
}

export interface Tried {
  readonly name: string;
  readonly caughtBy: string;
  /** What is not well, failures and advice. */
  readonly found: readonly Result[];
}

export async function tryFlawed(): Promise<readonly Tried[]> {
  const tried: Tried[] = [];
  for (const [name, [caughtBy, flaw, promises]] of Object.entries(FLAWED_MODEL_SENDERS)) {
    const { results } = await tryModel(flaw, undefined, undefined, promises);
    const found = results.filter(({ verdict }) => verdict === 'failed' || verdict === 'advice');
    tried.push({ name, caughtBy, found });
  }
  return tried;
}
