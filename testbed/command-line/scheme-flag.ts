import { schemeNamed, type SchemeName } from '../schemes/schemes.ts';
import { asFlag, type Given, textOf } from './flag-values.ts';

/** The value of --scheme. Throws a FlagError for a name that is none. */
export function readScheme(values: Given | undefined): SchemeName | undefined {
  return values === undefined ? undefined : asFlag(() => schemeNamed(textOf(values) ?? ''));
}
