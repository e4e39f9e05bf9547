import { onTestFinished } from 'vitest';
import { NoticeWorld, type NoticeWorldOptions } from './notice-world.ts';

/** A world that ends with the test that starts it. */
export async function startedNoticeWorld(
  options: NoticeWorldOptions,
  given?: { readonly hearsNotices: boolean },
): Promise<NoticeWorld> {
  const world = new NoticeWorld(options);
  onTestFinished(() => world.stop());
  await world.start(given);
  return world;
}
