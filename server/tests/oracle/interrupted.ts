import type { Stores } from '../support/audience-world.ts';

/** Stores before each telling, and each fold, of which something else happens. */
export function interrupted({ tellings, profiles }: Stores, between: () => Promise<void>): Stores {
  const tell: typeof tellings.tell = async (request) => {
    await between();
    return tellings.tell(request);
  };
  const fold: typeof profiles.fold = async (request) => {
    await between();
    return profiles.fold(request);
  };
  return { tellings: Object.assign(Object.create(tellings), { tell }), profiles: { ...profiles, fold } };
}
