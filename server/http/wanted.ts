import type { ErrorObject } from 'ajv/dist/2020.js';
import { nearest } from '../nearest.ts';

/** What a value must be by the document, in words. */
export function wanted({ params, message, parentSchema }: ErrorObject): string | undefined {
  const unknown: unknown = params['additionalProperty'];
  if (typeof unknown === 'string') return `has no field ${unknownField(unknown, parentSchema?.['properties'])}`;
  const words: unknown = parentSchema?.['x-in-words'];
  if ('pattern' in params && typeof words === 'string') return `must be ${words}`;
  const choices: unknown = params['allowedValues'];
  if (Array.isArray(choices)) return `must be one of ${choices.join(', ')}`;
  const types: unknown = params['type'];
  if (Array.isArray(types)) return `must be ${types.join(' or ')}`;
  return 'allowedValue' in params ? `must be ${String(params['allowedValue'])}` : message;
}

function unknownField(name: string, properties: unknown): string {
  const known = typeof properties === 'object' && properties !== null ? Object.keys(properties) : [];
  const guess = nearest(name, known);
  const wayOut = guess === undefined ? `it has ${known.join(', ')}` : `did you mean ${guess}?`;
  return `${JSON.stringify(name.slice(0, 80))}: ${wayOut}`;
}
