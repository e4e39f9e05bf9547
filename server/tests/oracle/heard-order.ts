import type { AudienceWorld } from '../support/audience-world.ts';

/** Where a receiver heard what was told earlier after what was told later, whether or not something later yet has mended it. */
export function heardOutOfOrder(world: Pick<AudienceWorld, 'heard'>, urls: Iterable<string>): string[] {
  const found: string[] = [];
  for (const url of urls) {
    const last = new Map<string, number>();
    for (const { key, user, at } of world.heard(url)) {
      const before = last.get(`${key} ${user}`) ?? at;
      if (at < before) found.push(`${url} heard of ${user} in ${key} first what was told at ${before}, then at ${at}`);
      last.set(`${key} ${user}`, at);
    }
  }
  return found;
}
