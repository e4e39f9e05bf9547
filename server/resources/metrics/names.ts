import type { components } from '../../../generated/config-api.d.ts';
import { ApiError } from '../../http/errors.ts';

const MOST = 100;

interface Asked {
  readonly query: { readonly names?: string };
  readonly body: components['schemas']['BatchNames'];
}

/** The names that a batch asks for, wherever they stand; one that asks for none is answered none. */
export function namesOf({ query, body }: Asked): readonly string[] {
  const names = body.names ?? query.names?.split(',').map((name) => name.trim()) ?? [];
  if (names.length <= MOST) return names;
  throw new ApiError('InvalidArgument', `names must be at most ${MOST} names, got ${names.length}`);
}

/** The metrics of one destination, by their full names. */
export function metricsWithin(collection: string, names: readonly string[]): string[] {
  return names.map((name) => {
    const metric = name.startsWith(collection) ? name.slice(collection.length) : '';
    if (/^[a-z][a-z0-9_]{0,63}$/.test(metric)) return metric;
    throw refused(name, `${collection}<metric>`);
  });
}

/** Destinations of one workspace, by their own names or those of their summaries. */
export function destinationsWithin(sources: string, names: readonly string[]): string[] {
  return names.map((name) => {
    const destination = name.replace(/\/metrics:getSummary$/, '');
    const rest = destination.startsWith(sources) ? destination.slice(sources.length) : '';
    if (/^[^/]+\/destinations\/[^/]+$/.test(rest)) return destination;
    throw refused(name, `${sources}<source>/destinations/<destination>`);
  });
}

function refused(name: string, form: string): ApiError {
  const seen = JSON.stringify(name.slice(0, 200));
  return new ApiError('InvalidArgument', `names must hold names of the form ${form}, got ${seen}`);
}
