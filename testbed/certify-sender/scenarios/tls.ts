import { failed, type Judgment, passed } from '../../certify/scenario.ts';
import type { TlsFault } from '../../tls/tls-fault.ts';
import { noRetryWithin, notJudged, type SenderScenario } from '../scenario.ts';
import type { Trial } from '../trial.ts';

/** What a handshake and a request behind it may take on a busy machine, however soon the sender tries again. */
const HANDSHAKE_MS = 1_000;
/** A sender on a busy machine connects later than its first retry took; one that never does holds up no more than this. */
const CONNECT_MS = 3_000;
const PLAIN = notJudged('the address is plain http; add --tls');
const NOT_CONNECTED = notJudged('it did not connect within the time');

/** Faults of a certificate that is not good, and what it is called. */
const FAULTS = [
  ['self-signed', 'a self-signed certificate'],
  ['expired', 'an expired certificate'],
  ['wrong-host', 'a certificate for another name'],
  ['unknown-ca', 'a certificate of an unknown authority'],
] as const satisfies readonly (readonly [TlsFault, string])[];

const untrusted: readonly SenderScenario[] = FAULTS.map(([fault, words]) => ({
  id: `tls-${fault}`,
  title: `Nothing is sent to ${words}`,
  expects: 'The certificate says who reads the event: without a good one anybody can.',
  run: async (trial) => sentDespite(trial, fault, words),
}));

const reset: SenderScenario = {
  id: 'tls-handshake-reset',
  title: 'A retry after a reset in the TLS handshake',
  expects: 'A handshake that breaks off says nothing of the certificate: the endpoint may only be restarting.',
  run: triedAfterReset,
};

export const TLS_SCENARIOS: readonly SenderScenario[] = [...untrusted, reset];

async function sentDespite(trial: Trial, fault: TlsFault, words: string): Promise<Judgment> {
  const { tls } = trial.stand;
  if (tls === undefined) return PLAIN;
  const before = trial.stand.connections;
  tls.play(fault);
  const event = await trial.ask(() => '200');
  await connected(trial, before);
  const { quietMs, longestMs } = trial.times;
  await trial.until(() => event.attempts.length > 0, Math.max(quietMs, Math.min(longestMs, HANDSHAKE_MS)));
  const wasSent = event.attempts.length > 0;
  const tried = trial.stand.connections - before;
  const { open } = tls;
  tls.play('none');
  if (wasSent) return failed(`it sent the event to ${words}; check certificates`);
  if (tried === 0) return NOT_CONNECTED;
  // Who does not trust a certificate ends the connection: all that are still there may only be slow.
  if (open === tried) return notJudged('a handshake was still under way; give a larger --budget');
  // What is left of the event goes out before the next scenario: its sender may wait between attempts.
  await trial.until(() => event.attempts.length > 0, Math.min(trial.times.longestMs, trial.times.retryMs));
  return passed(event.attempts.length > 0 ? 'nothing was sent, until the certificate was good' : 'nothing was sent');
}

async function triedAfterReset(trial: Trial): Promise<Judgment> {
  const { stand, times } = trial;
  if (stand.tls === undefined) return PLAIN;
  const before = stand.connections;
  stand.tls.play('handshake-reset');
  const event = await trial.ask(() => '200');
  await connected(trial, before);
  await trial.until(() => event.attempts.length > 0, times.quietMs);
  const tried = stand.connections - before;
  stand.tls.play('none');
  if (tried === 0) return NOT_CONNECTED;
  const goodSince = trial.now();
  await trial.until(() => event.attempts.length > 0, times.retryMs);
  if (event.attempts.length > 0) return passed('tried again until the handshake was done');
  return noRetryWithin(trial, trial.now() - goodSince);
}

async function connected(trial: Trial, before: number): Promise<void> {
  await trial.until(() => trial.stand.connections > before, Math.min(trial.times.longestMs, CONNECT_MS));
}
