import type { Target } from '../../server/delivery/target.ts';
import { secretsAt, type ValidSecrets } from './signature-oracle.ts';
import { ownersOf, type World } from './world.ts';

/**
 * A destination gets another secret, and the one before it stays valid for a while; or such an overlap is taken back, or ends at
 * once, as the API has it.
 */
export type Rotation = { readonly at: number; readonly destination: string } & (
  | { readonly change: 'rotate'; readonly secret: string; readonly overlapMs: number }
  | { readonly change: 'cancel' | 'finish' }
);

/** The targets of a world, whose secrets are replaced while it runs. Routers that are started anew find them as they are. */
export class RotatedTargets {
  readonly #targets: ReadonlyMap<string, Target>;
  readonly #valid = new Map<string, ValidSecrets>();
  /** Whose a URL is. */
  readonly #owners: ReadonlyMap<string, string>;

  constructor(world: Pick<World, 'targets'>) {
    this.#targets = world.targets;
    this.#owners = ownersOf(world);
  }

  /** One at a time: another is refused while both secrets are valid, and without an overlap there is nothing to end. */
  rotate(rotation: Rotation, wall: number): void {
    const { destination } = rotation;
    const valid = this.#validOf(destination);
    const [old, next] = secretsAt(valid, wall);
    const isUnderWay = next !== undefined;
    if (isUnderWay === (rotation.change === 'rotate')) return;
    this.#valid.set(destination, changed(rotation, { old: old ?? '', next: valid.secret }, wall));
  }

  target(name: string): Target | undefined {
    const target = this.#targets.get(name);
    const valid = this.#valid.get(name);
    return target && valid ? { ...target, sharedSecret: valid.secret, previous: valid.previous } : target;
  }

  /** With which a receiver at this URL may verify what it gets at this moment. */
  secretsOf(url: string, wall: number): readonly string[] {
    return secretsAt(this.#validOf(this.#owners.get(url) ?? ''), wall);
  }

  #validOf(destination: string): ValidSecrets {
    return this.#valid.get(destination) ?? { secret: this.#targets.get(destination)?.sharedSecret ?? '' };
  }
}

function changed(
  rotation: Rotation,
  { old, next }: { readonly old: string; readonly next: string },
  wall: number,
): ValidSecrets {
  switch (rotation.change) {
    case 'rotate':
      return { secret: rotation.secret, previous: { secret: old, until: wall + rotation.overlapMs } };
    case 'cancel':
      return { secret: old };
    case 'finish':
      return { secret: next };
  }
}
