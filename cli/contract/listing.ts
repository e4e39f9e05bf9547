import type { Document, Operation, Schema } from '../../server/http/document.ts';
import { propertiesOf, resolved, stringsOf } from './schemas.ts';

/** A list in pages, and what of its items people see. */
export interface Listing {
  readonly plural: string;
  /** A field that tells an item of this API from anything else. */
  readonly mark: string;
  /** The fields that are one value each, and that all items have. */
  readonly columns: readonly string[];
}

const ONE_VALUE = ['string', 'boolean', 'integer', 'number'];
/** Part of the name. */
const NOT_SHOWN = ['parent', 'id', 'description', 'website'];

/** How the answer of a list is read; undefined for what answers without pages. */
export function listingOf(document: Document, { answerSchema }: Operation): Listing | undefined {
  const answer = propertiesOf(document, resolved(document, answerSchema));
  if (answer['next_page_token'] === undefined) return undefined;
  const [plural, list] = Object.entries(answer).find(([, { type }]) => type === 'array') ?? [];
  if (plural === undefined || list === undefined) return undefined;
  const item = resolved(document, list['items']);
  const required = stringsOf(item['required']);
  const columns = required.filter((field) => isShown(field, propertiesOf(document, item)[field]));
  return { plural, mark: required[0] ?? 'name', columns };
}

function isShown(field: string, schema: Schema | undefined): boolean {
  return ONE_VALUE.includes(String(schema?.['type'])) && !NOT_SHOWN.includes(field);
}
