import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { UsageError } from '../../server/cli/command.ts';
import { isObject } from '../contract/schemas.ts';

/** Where references lead: variables of the environment, and files beside the configuration. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly folder: string;
}

/** `${env:NAME}` and `${file:path}`. One more `$` in front makes it text. */
const REFERENCE = /(\$*)\$\{(env|file):([^}]*)\}/g;

/** The same value with what its references lead to. An error names the place, and no value. */
export function withReferences(value: unknown, surroundings: Surroundings): unknown {
  return mapTexts(value, '', (text, at) =>
    text.replaceAll(REFERENCE, (whole: string, dollars: string, kind: string, name: string) =>
      dollars === '' ? lookUp(kind, name, surroundings, at) : whole.slice(1),
    ),
  );
}

/** The same value, in which nothing is taken for a reference. */
export function withoutReferences(value: unknown): unknown {
  return mapTexts(value, '', (text) => text.replaceAll(REFERENCE, (whole: string) => `$${whole}`));
}

/** Every text in a value, changed. */
export function mapTexts(value: unknown, place: string, change: (text: string, place: string) => string): unknown {
  if (typeof value === 'string') return change(value, place);
  if (Array.isArray(value)) return value.map((item, index) => mapTexts(item, `${place}[${index}]`, change));
  if (!isObject(value)) return value;
  const inner = (key: string): string => (place === '' ? key : `${place}.${key}`);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapTexts(item, inner(key), change)]));
}

function lookUp(kind: string, name: string, { env, folder }: Surroundings, place: string): string {
  if (kind === 'env') {
    const value = env[name];
    if (value !== undefined && value !== '') return value;
    throw new UsageError(`${place}: the variable ${name} is not set`);
  }
  try {
    // Editors end files with a line break, and no secret does.
    return readFileSync(resolve(folder, name), 'utf8').replace(/\r?\n$/, '');
  } catch (cause) {
    throw new UsageError(`${place}: the file ${JSON.stringify(name)} cannot be read`, { cause });
  }
}
