import { createHash } from 'node:crypto';
import type { Target } from '../../server/delivery/target.ts';
import type { Random } from '../../server/ports/random.ts';
import type { Rotation } from './rotation.ts';
import { seededRandom } from './seeded-random.ts';
import type { World } from './world.ts';

/** The share of destinations whose requests are signed, and of those the share whose secret is rotated. */
const SHARE = 0.2;
const ROTATED = 0.5;
const SETTINGS = ['x-signature', 'standard-webhooks', 'both'] as const;
const MINUTE = 60_000;
const OVERLAPS = [0, MINUTE, 30 * MINUTE, 24 * 60 * MINUTE];

/**
 * Some destinations have a secret (HOOK-22), and get another one while events are under way (HOOK-23). Drawn beside the world
 * that is given, so that everything else in it stays as its seed has it.
 */
export function withSignatures(world: World, seed: number, arrivalMs: number): World {
  const random = seededRandom(seed ^ 0x519);
  const targets = new Map<string, Target>(world.targets);
  const rotations: Rotation[] = [];
  for (const [destination, target] of world.targets) {
    if (random() >= SHARE) continue;
    const signature = drawn(SETTINGS, random) ?? 'both';
    targets.set(destination, { ...target, sharedSecret: secretOf(random), signature });
    if (random() >= ROTATED) continue;
    const [secret, overlapMs] = [secretOf(random), drawn(OVERLAPS, random) ?? 0];
    // Retries go on for hours after the last arrival.
    rotations.push({ at: Math.floor(random() * 2 * arrivalMs), destination, secret, overlapMs });
  }
  return { ...world, targets, rotations };
}

function drawn<Value>(values: readonly Value[], random: Random): Value | undefined {
  return values[Math.floor(random() * values.length)];
}

function secretOf(random: Random): string {
  return `whsec_${createHash('sha256').update(String(random())).digest('base64')}`;
}
