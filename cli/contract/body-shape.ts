import type { Document, Schema } from '../../server/http/document.ts';
import { propertiesOf, resolved } from './schemas.ts';

/** What a command can put into the body of its request. */
export interface BodyShape {
  /** The key that the resource stands below: `source`; undefined where the fields are those of the body itself. */
  readonly key: string | undefined;
  /** Whether the body has an update mask: then only the fields that are given change. */
  readonly isMasked: boolean;
  /** Whether the resource is named in the body. */
  readonly hasName: boolean;
  /** The other fields, each with its schema. */
  readonly fields: Readonly<Record<string, Schema>>;
  /** Those with fields of their own, which have paths in an update mask. */
  readonly nested: Readonly<Record<string, true>>;
}

const MASK = 'update_mask';

export function bodyShapeOf(document: Document, schema: Schema | undefined): BodyShape | undefined {
  if (schema === undefined) return undefined;
  const top = propertiesOf(document, resolved(document, schema));
  const [[key, wrapped] = ['', {}], ...others] = Object.entries(top).filter(([name]) => name !== MASK);
  const inner = propertiesOf(document, wrapped);
  const isWrapped = others.length === 0 && Object.keys(inner).length > 0;
  const { [MASK]: _mask, name, ...fields } = isWrapped ? inner : top;
  return {
    key: isWrapped ? key : undefined,
    isMasked: MASK in top,
    hasName: name !== undefined,
    fields,
    nested: Object.fromEntries(
      Object.entries(fields)
        .filter(([, field]) => Object.keys(propertiesOf(document, field)).length > 0)
        .map(([field]) => [field, true]),
    ),
  };
}
