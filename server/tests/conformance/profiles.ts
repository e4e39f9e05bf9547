import { test } from 'vitest';
import { COUNTING_FACTS } from './profile-counting.ts';
import { EDGE_FACTS } from './profile-edges.ts';
import { IDENTITY_FACTS } from './profile-identity.ts';
import type { OpenProfiles, ProfileFact } from './profile-place.ts';
import { REMOVAL_FACTS } from './profile-removals.ts';
import { RUN_FACTS } from './profile-runs.ts';
import { UNDECIDED_FACTS } from './profile-undecided.ts';

/** What every engine behind the port must do. */
export const PROFILE_FACTS: readonly ProfileFact[] = [
  ...IDENTITY_FACTS,
  ...COUNTING_FACTS,
  ...EDGE_FACTS,
  ...RUN_FACTS,
  ...REMOVAL_FACTS,
  ...UNDECIDED_FACTS,
];

/** Each fact is one test. */
export function profileConformance(engine: string, open: OpenProfiles): void {
  for (const fact of PROFILE_FACTS) test(`${fact.title} (${engine})`, () => checkProfileFact(fact, open));
}

/** Rejects when the profiles do not keep the fact. */
export async function checkProfileFact(fact: ProfileFact, open: OpenProfiles): Promise<void> {
  const place = await open();
  try {
    await fact.check(place);
  } finally {
    await place.end();
  }
}
