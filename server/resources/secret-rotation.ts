import { signingOf } from '../destinations/webhooks-settings.ts';
import { ApiError } from '../http/errors.ts';
import type { ConfigEntry, Destination } from '../model/resources.ts';
import { mergeEntries } from './destination-config.ts';

/** A rotation of the shared secret that has not ended (D-81). */
export function rotationOf({ rotation }: Pick<Destination, 'rotation'>, now: number): Destination['rotation'] {
  return rotation !== undefined && now < Date.parse(rotation.end_time) ? rotation : undefined;
}

/** With a new secret, and the one before it valid until the overlap ends; the secret that is in use changes nothing. */
export function rotated(current: Destination, entries: ConfigEntry[], overlapMs: number, now: number): Destination {
  const { sharedSecret: previous } = signingOf(current);
  const changed = { ...withoutRotation(current), config: mergeEntries(current.config, entries) };
  const { sharedSecret: secret } = signingOf(changed);
  if (secret === previous) return current;
  if (rotationOf(current, now) !== undefined) throw underWay(current);
  if (previous === '' || overlapMs === 0) return changed;
  const [start_time, end_time] = [timeText(now), timeText(now + overlapMs)];
  return { ...changed, rotation: { previous_secret: previous, start_time, end_time } };
}

/** The secret that is in use signs alone. */
export function withoutRotation({ rotation: _ended, ...destination }: Destination): Destination {
  return destination;
}

/**
 * What an update makes of a rotation: one that has ended is forgotten, with its secret, and while one is under way the
 * secret stays: another one would end the overlap for receivers that rely on it.
 */
export function withRotationKept(changed: Destination, current: Destination, now: number): Destination {
  if (rotationOf(current, now) === undefined) return withoutRotation(changed);
  if (signingOf(changed).sharedSecret !== signingOf(current).sharedSecret) throw underWay(current);
  return changed;
}

export function timeText(time: number): string {
  return new Date(time).toISOString();
}

function underWay({ name }: Destination): ApiError {
  const wayOut = 'cancel the rotation (:cancelRotation) or finish it (:finishRotation) first';
  return new ApiError('InvalidArgument', `the secret of ${name} is being rotated: ${wayOut}`);
}
