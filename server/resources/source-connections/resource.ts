import type { components } from '../../../generated/config-api.d.ts';
import { ApiError } from '../../http/errors.ts';
import type { Resources } from '../../storage/config-store.ts';
import { readNewName, slugOf } from '../resource-name.ts';

type Source = Resources['sources'];

export function connectionOf(source: string, plan: string): components['schemas']['SourceConnection'] {
  return { source_name: source, tracking_plan_id: slugOf(plan) };
}

/** Clients name a source in full, or by its slug alone. */
export function readSourceName(given: string, workspace: string, field: string): string {
  const within = `${workspace}/sources/`;
  return readNewName({ given: given.includes('/') ? given : within + given, within, field });
}

/** A source belongs to at most one plan; a plan that is gone holds nothing. */
export function requireFree(source: Source, plansGone: ReadonlySet<string>): Source {
  const { name, tracking_plan: plan } = source;
  if (plan === undefined || plansGone.has(plan)) return source;
  throw new ApiError('AlreadyExists', `source connection already exists: ${name} belongs to ${plan}`);
}
