import type { components } from '../../generated/config-api.d.ts';
import { isWebhooks } from '../destinations/kind.ts';
import { signingOf } from '../destinations/webhooks-settings.ts';
import { invalid } from '../http/errors.ts';
import type { ConfigEntry, Destination } from '../model/resources.ts';
import { algorithmOf, newSharedSecret, type SecretAlgorithm } from '../model/shared-secret.ts';
import type { Caller } from './callers.ts';
import { mergeEntries, readEntries, settingsOf } from './destination-config.ts';
import { requireDestination } from './deliveries.ts';
import { checked, shownDestination } from './destinations.ts';
import type { ConfigHandlers, Env } from './env.ts';
import { type Edit, found, requireVisible } from './kit.ts';
import { nameOf } from './names.ts';
import { rotated, rotationOf, timeText, withoutRotation } from './secret-rotation.ts';

type Schemas = components['schemas'];

/** How long both secrets are valid if nobody says otherwise. */
const OVERLAP_SECONDS = 86_400;

type RotationEnv = Pick<Env, 'store' | 'clock' | 'newNames' | 'addressGuard'>;

/** `:rotateSecret`, `:cancelRotation` and `:finishRotation` of a destination (D-81). */
export function secretRotationHandlers(env: RotationEnv) {
  return {
    rotateSecret: ({ path, body, caller }) => rotate(env, caller, nameOf('destinations', path), body),
    cancelSecretRotation: ({ path, caller }) => cancel(env, caller, nameOf('destinations', path)),
    finishSecretRotation: ({ path, caller }) => finish(env, caller, nameOf('destinations', path)),
  } satisfies Partial<ConfigHandlers>;
}

export async function rotate(
  env: RotationEnv,
  caller: Caller,
  name: string,
  { secret: given, algorithm, overlap_seconds: overlap = OVERLAP_SECONDS }: Schemas['RotateSecret'],
): Promise<Schemas['RotatedSecret']> {
  if (given !== undefined && algorithm !== undefined) {
    throw invalid('algorithm applies to a secret that is made: omit it, or omit secret');
  }
  if (given !== undefined) readEntries([{ name: 'sharedSecret', value: given }], name);
  const current = await requireDestination(env, caller, name);
  requireWebhooks(current);
  const secret = given ?? newSharedSecret(algorithmFor(current, algorithm), env.newNames?.secretBytes());
  const entries = entriesWith(secret, current, env);
  const now = env.clock.now();
  const destination = await change(env, caller, name, now, (one) => rotated(one, entries, overlap * 1000, now));
  return given === undefined ? { secret, destination } : { destination };
}

export async function cancel(env: RotationEnv, caller: Caller, name: string): Promise<Schemas['Destination']> {
  return end(env, caller, name, (current) => {
    const entries = entriesWith(current.rotation?.previous_secret ?? '', current, env);
    return { ...withoutRotation(current), config: mergeEntries(current.config, entries) };
  });
}

export async function finish(env: RotationEnv, caller: Caller, name: string): Promise<Schemas['Destination']> {
  return end(env, caller, name, withoutRotation);
}

/** A rotation that is under way ends; without one nothing changes. */
async function end(
  env: RotationEnv,
  caller: Caller,
  name: string,
  ended: Edit<'destinations'>,
): Promise<Schemas['Destination']> {
  const now = env.clock.now();
  return change(env, caller, name, now, (current, home) =>
    rotationOf(current, now) === undefined ? current : ended(current, home),
  );
}

async function change(
  { store }: RotationEnv,
  caller: Caller,
  name: string,
  now: number,
  edit: Edit<'destinations'>,
): Promise<Schemas['Destination']> {
  const changed = await store.update('destinations', requireVisible(caller, name), (current, home) => {
    const next = edit(current, home);
    return next === current ? current : checked({ ...next, update_time: timeText(now) });
  });
  return shownDestination(found(changed, name), now);
}

/** As if it were set: what cannot be set as a secret cannot become one here. */
function entriesWith(secret: string, destination: Destination, { addressGuard }: RotationEnv): ConfigEntry[] {
  const entries = readEntries([{ name: 'sharedSecret', value: secret }], destination.name);
  return settingsOf(entries, destination, addressGuard);
}

/** The one that was asked for; else that of the secret in use. */
function algorithmFor(current: Destination, wanted: SecretAlgorithm | undefined): SecretAlgorithm {
  const { sharedSecret, signature } = signingOf(current);
  if (signature === 'standard-webhooks') return wanted ?? algorithmOf(sharedSecret);
  if (wanted !== 'ed25519') return 'hmac-sha256';
  throw invalid(`algorithm: ed25519 needs the setting signature standard-webhooks, got ${String(signature)}`);
}

function requireWebhooks(destination: Destination): void {
  if (isWebhooks(destination)) return;
  throw invalid(`${destination.name} has no shared secret: only webhooks destinations have one`);
}
