import { loadDocument } from '../../http/document.ts';

/** Every reason that the document lists. */
export const DROP_REASONS: readonly string[] = reasonsIn(loadDocument('config-api').components.schemas?.['DropReason']);

function reasonsIn(schema: Readonly<Record<string, unknown>> = {}): string[] {
  const reasons = schema['enum'];
  if (!Array.isArray(reasons)) throw new Error('the document lists no drop reasons');
  return reasons.map(String);
}
