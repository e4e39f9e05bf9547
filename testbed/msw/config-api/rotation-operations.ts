import type * as v from 'valibot';
import { algorithmFor, secretOf, signingIn, withSecret } from '../../contract/config-secrets.ts';
import { destinationKind } from '../../contract/config-destinations.ts';
import type { Fields } from '../../contract/config-kinds.ts';
import type { Call } from './call.ts';
import { type ModeledOperation, taken } from './resource-operations.ts';
import { shown, type Shown } from './shown.ts';
import type { State } from './state.ts';

const OVERLAP_SECONDS = 86_400;

/** `:rotateSecret` */
export function rotationOf(body: v.GenericSchema, answers: v.GenericSchema): ModeledOperation {
  return { demands: { writes: true, body }, answers, handle: rotate };
}

/** The new secret takes the place of the old one, which is kept beside it until the overlap ends. */
function rotate(state: State, call: Call): Fields {
  const { secret: given, algorithm, overlap_seconds: overlap = OVERLAP_SECONDS }: Wanted = Object(call.body);
  let made: string | undefined;
  const destination = changed(state, call, (current) => {
    if (destinationKind(nameOf(call), current) !== 'webhooks') return 'only webhooks destinations have a secret';
    if (given !== undefined && algorithm !== undefined) return 'algorithm is of a secret that is made';
    const signing = signingIn(current);
    const { secret: previous, signature } = signing;
    if (algorithm === 'ed25519' && signature !== 'standard-webhooks') return 'ed25519 needs standard-webhooks';
    if (given === undefined) made = secretOf(state.identifiers.bytes(32), algorithmFor(signing, algorithm));
    const secret = given ?? made ?? '';
    if (secret.includes('[redacted]')) return 'secret holds [redacted]';
    if (secret === previous) return current;
    if (current['rotation'] !== undefined) return 'the secret is being rotated';
    const next = withSecret(current, secret);
    return previous === '' || overlap === 0 ? next : { ...next, rotation: state.rotation(previous, overlap) };
  });
  return made === undefined ? { destination } : { secret: made, destination };
}

interface Wanted {
  readonly secret?: string;
  readonly algorithm?: 'hmac-sha256' | 'ed25519';
  readonly overlap_seconds?: number;
}

/** `:cancelRotation` and `:finishRotation`; without a rotation they change nothing. */
export function rotationEndOf(end: 'cancel' | 'finish', answers: v.GenericSchema): ModeledOperation {
  const handle = (state: State, call: Call): Fields =>
    changed(state, call, (before) => {
      const { rotation, ...current } = before;
      if (rotation === undefined) return before;
      return end === 'finish' ? current : withSecret(current, String(Object(rotation).previous_secret));
    });
  return { demands: { writes: true }, answers, handle };
}

function changed(state: State, call: Call, edit: (current: Fields) => Fields | string): Shown {
  const name = nameOf(call);
  const stamp = state.updateStampOf('destinations');
  const { fields = {}, commit } = taken(state.model.change(call.caller, name, edit, stamp));
  commit?.(name, '');
  return shown(name, fields);
}

/** The path without the method behind its colon. */
function nameOf({ resource }: Call): string {
  return resource.slice(0, resource.lastIndexOf(':'));
}
