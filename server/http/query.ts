import { ApiError } from './errors.ts';

/** Requests need few parameters; the largest are the events of pixels. */
const MAX_PARAMETERS = 500;

/** The parameters of a query; one that is there several times has the list of its values. Koa's own takes quadratic time. */
export function queryOf(text: string): Record<string, string | string[]> {
  const count = text === '' ? 0 : text.split('&', MAX_PARAMETERS + 1).length;
  if (count > MAX_PARAMETERS) {
    throw new ApiError('InvalidArgument', `the query has more than ${MAX_PARAMETERS} parameters`);
  }
  const values = Map.groupBy(new URLSearchParams(text), ([name]) => name);
  return Object.fromEntries([...values].map(([name, pairs]) => [name, one(pairs.map(([, value]) => value))]));
}

function one(values: string[]): string | string[] {
  const [first, ...others] = values;
  return first === undefined || others.length > 0 ? values : first;
}
