import { onTestFinished } from 'vitest';
import { type AudienceWorld, startAudienceWorld, type WorldOptions } from './audience-world.ts';

const MINUTE = 60_000;

/** A world that ends with the test that starts it. */
export async function startedWorld(options: WorldOptions = {}): Promise<AudienceWorld> {
  const world = await startAudienceWorld(options);
  onTestFinished(() => world.stop());
  return world;
}

/** The same a minute after its start, when its jobs have looked what there is to do. */
export async function settledWorld(options: WorldOptions = {}): Promise<AudienceWorld> {
  const world = await startedWorld(options);
  await world.advance(MINUTE);
  return world;
}
