import { failed, type Judgment, passed } from '../../certify/scenario.ts';
import type { TlsFault } from '../../tls/tls-fault.ts';
import { notJudged, type SenderScenario } from '../scenario.ts';
import type { Trial } from '../trial.ts';

/** Faults of a certificate that is not good, and what it is called. */
const FAULTS = [
  ['self-signed', 'a self-signed certificate'],
  ['expired', 'an expired certificate'],
  ['wrong-host', 'a certificate for another name'],
  ['unknown-ca', 'a certificate of an unknown authority'],
] as const satisfies readonly (readonly [TlsFault, string])[];

export const TLS_SCENARIOS: readonly SenderScenario[] = FAULTS.map(([fault, words]) => ({
  id: `tls-${fault}`,
  title: `Nothing is sent to ${words}`,
  expects: 'The certificate says who reads the event: without a good one anybody can.',
  run: async (trial) => sentDespite(trial, fault, words),
}));

async function sentDespite(trial: Trial, fault: TlsFault, words: string): Promise<Judgment> {
  const { tls } = trial.stand;
  if (tls === undefined) return notJudged('the address is plain http; add --tls');
  const before = trial.stand.connections;
  tls.play(fault);
  const event = await trial.ask(() => '200');
  await trial.until(() => event.attempts.length > 0, trial.times.quietMs);
  const wasSent = event.attempts.length > 0;
  const tried = trial.stand.connections - before;
  tls.play('none');
  if (wasSent) return failed(`it sent the event to ${words}; check certificates`);
  if (tried === 0) return notJudged('it did not connect within the time');
  // What is left of the event goes out before the next scenario: its sender may wait between attempts.
  await trial.until(() => event.attempts.length > 0, Math.min(trial.times.longestMs, trial.times.retryMs));
  return passed(event.attempts.length > 0 ? 'nothing was sent, until the certificate was good' : 'nothing was sent');
}
