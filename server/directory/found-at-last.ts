import type { Directory } from './directory.ts';

/** What `look` finds, also where another router was told of it a moment ago, and this one has not heard yet (NODE-5). */
export async function foundAtLast<Found>(
  directory: Pick<Directory, 'refresh'>,
  look: () => Found | undefined,
): Promise<Found | undefined> {
  const found = look();
  if (found !== undefined) return found;
  await directory.refresh();
  return look();
}
