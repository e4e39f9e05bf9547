import type { Target } from '../../server/delivery/target.ts';
import { RotatedTargets, type Rotation } from './rotation.ts';
import type { World } from './world.ts';

/** What was done to a secret, and when by the wall of whoever was asked. */
export interface Rotated {
  readonly rotation: Rotation;
  readonly wall: number;
}

/** The targets as one process of a router knows them: as they were when it began, and what it was told of since. */
export class HeardSettings {
  readonly #targets: RotatedTargets;
  #heard = 0;

  constructor(world: Pick<World, 'targets'>, all: readonly Rotated[]) {
    this.#targets = new RotatedTargets(world);
    this.hear(all);
  }

  /** All that there has been so far. */
  hear(all: readonly Rotated[]): void {
    for (const { rotation, wall } of all.slice(this.#heard)) this.#targets.rotate(rotation, wall);
    this.#heard = all.length;
  }

  readonly target = (name: string): Target | undefined => this.#targets.target(name);

  /** With which a receiver at this URL may verify what this process sends, by its wall. */
  secretsOf(url: string, wall: number): readonly string[] {
    return this.#targets.secretsOf(url, wall);
  }
}
