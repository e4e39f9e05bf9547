import type { Target } from '../../server/delivery/target.ts';
import { secretsAt, type ValidSecrets } from './signature-oracle.ts';
import { ownersOf, type World } from './world.ts';

/** A destination gets another secret; the one before stays valid for a while. */
export interface Rotation {
  readonly at: number;
  readonly destination: string;
  readonly secret: string;
  readonly overlapMs: number;
}

/** The targets of a world, whose secrets are replaced while it runs. Routers that are started anew find them as they are. */
export class RotatedTargets {
  readonly #targets: ReadonlyMap<string, Target>;
  readonly #valid = new Map<string, ValidSecrets>();
  /** Whose a URL is. */
  readonly #owners: ReadonlyMap<string, string>;

  constructor(world: World) {
    this.#targets = world.targets;
    this.#owners = ownersOf(world);
  }

  rotate({ destination, secret, overlapMs }: Rotation, wall: number): void {
    const { secret: old } = this.#validOf(destination);
    this.#valid.set(destination, { secret, previous: { secret: old, until: wall + overlapMs } });
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
