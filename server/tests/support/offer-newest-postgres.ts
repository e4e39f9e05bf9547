import type { TestProject } from 'vitest/node';
import { offerServer } from './offer-postgres.ts';

/** Vitest's global set-up of the tests that run once more: their server is the one that was installed for them. */
export function setup(project: Pick<TestProject, 'provide'>): Promise<() => Promise<void>> {
  return offerServer(project, process.env['NEWEST_PGBIN']);
}
