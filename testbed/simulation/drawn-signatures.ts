import { createHash } from 'node:crypto';
import type { SignatureSetting } from '../../server/delivery/signatures.ts';
import type { Target } from '../../server/delivery/target.ts';
import { newSharedSecret } from '../../server/model/shared-secret.ts';
import type { Random } from '../../server/ports/random.ts';
import type { Rotation } from './rotation.ts';
import { seededRandom } from './seeded-random.ts';
import type { World } from './world.ts';

/** The share of destinations whose requests are signed, and of those the share whose secret is rotated. */
const SHARE = 0.2;
const ROTATED = 0.5;
/** Of these rotations, the share that is taken back, and of the others the share that ends early. */
const CANCELED = 0.25;
const FINISHED = 0.35;
const SETTINGS = ['x-signature', 'standard-webhooks', 'both'] as const;
/** Of what is signed as the standard says alone, the share that has a key pair. */
const PAIRS = 0.5;
const MINUTE = 60_000;
const OVERLAPS = [0, MINUTE, 30 * MINUTE, 24 * 60 * MINUTE];

type Targets = Pick<World, 'targets'>;

/**
 * Some destinations have a secret, or a key pair (HOOK-22), and get another one while events are under way (HOOK-23), which may be
 * taken back, or become the only one early. Drawn beside the world that is given, so that everything else in it stays as its
 * seed has it.
 */
export function withSignatures<Drawn extends Targets>(
  world: Drawn,
  seed: number,
  arrivalMs: number,
  share = SHARE,
): Drawn & { readonly rotations: readonly Rotation[] } {
  const random = seededRandom(seed ^ 0x519);
  const targets = new Map<string, Target>(world.targets);
  const rotations: Rotation[] = [];
  for (const [destination, target] of world.targets) {
    if (random() >= share) continue;
    const signature = drawn(SETTINGS, random) ?? 'both';
    const newSecret = (): string => secretOf(signature, random);
    targets.set(destination, { ...target, sharedSecret: newSecret(), signature });
    if (random() < ROTATED) rotations.push(...drawRotations(destination, newSecret, arrivalMs, random));
  }
  return { ...world, targets, rotations: rotations.toSorted((a, b) => a.at - b.at) };
}

/** Retries go on for hours after the last arrival. */
function drawRotations(destination: string, newSecret: () => string, arrivalMs: number, random: Random): Rotation[] {
  const [at, overlapMs] = [Math.floor(random() * 2 * arrivalMs), drawn(OVERLAPS, random) ?? 0];
  const begun = { at, destination, change: 'rotate', secret: newSecret(), overlapMs } as const;
  const change = drawEnd(random);
  if (change === undefined) return [begun];
  const ended = { at: at + Math.floor(random() * Math.min(overlapMs, arrivalMs)), destination, change };
  return random() < 0.5 ? [begun, ended] : [begun, ended, { ...begun, at: ended.at + MINUTE, secret: newSecret() }];
}

function drawEnd(random: Random): 'cancel' | 'finish' | undefined {
  if (random() < CANCELED) return 'cancel';
  return random() < FINISHED ? 'finish' : undefined;
}

function drawn<Value>(values: readonly Value[], random: Random): Value | undefined {
  return values[Math.floor(random() * values.length)];
}

/** Of either form; a key pair signs as the standard says, and in no other way. */
function secretOf(signature: SignatureSetting, random: Random): string {
  const isPair = signature === 'standard-webhooks' && random() < PAIRS;
  const bytes = createHash('sha256').update(String(random())).digest();
  return newSharedSecret(isPair ? 'ed25519' : 'hmac-sha256', bytes);
}
