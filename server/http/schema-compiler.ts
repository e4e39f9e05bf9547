import { Ajv2020, type Options, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { isMoment } from '../model/moments.ts';
import type { Schema } from './document.ts';

const COMPONENTS = '#/components/schemas/';
const BASE = `https://waybill/openapi.json${COMPONENTS}`;

/**
 * Compiles schemas of a document, each with those that it refers to and no others: a router starts before any is needed, and few
 * of its requests need more than some. To read the whole of a document would be half of what a start takes.
 */
export class SchemaCompiler {
  readonly #components: Readonly<Record<string, Schema>>;
  readonly #options: Options;
  readonly #known = new Set<string>();
  /** By the text of the schema: operations have many parameters alike, and a document may be served more than once. */
  readonly #compiled = new Map<string, ValidateFunction>();
  #ajv: Ajv2020 | undefined;

  constructor(components: Readonly<Record<string, Schema>>, options: Options) {
    [this.#components, this.#options] = [components, options];
  }

  compile(schema: Schema): ValidateFunction {
    const { text, needs } = written(schema);
    const known = this.#compiled.get(text);
    if (known !== undefined) return known;
    const ajv = (this.#ajv ??= createAjv(this.#options));
    for (const name of needs) this.#learn(ajv, name);
    const check = ajv.compile(schemaIn(text));
    this.#compiled.set(text, check);
    return check;
  }

  #learn(ajv: Ajv2020, name: string): void {
    if (this.#known.has(name)) return;
    this.#known.add(name);
    const component = this.#components[name];
    if (component === undefined) throw new Error(`the document refers to the schema ${name} and does not hold it`);
    const { text, needs } = written(component);
    for (const needed of needs) this.#learn(ajv, needed);
    ajv.addSchema(schemaIn(text), BASE + name);
  }
}

/** A schema as Ajv takes it, and the names of those that it refers to. */
function written(schema: Schema): { readonly text: string; readonly needs: ReadonlySet<string> } {
  const needs = new Set<string>();
  return { text: JSON.stringify(schema, (key, value: unknown) => moved(key, value, needs)), needs };
}

/** A schema in, the same schema out: only what `moved` says has changed. */
function schemaIn(text: string): Schema {
  const schema: Schema = JSON.parse(text);
  return schema;
}

/** References name what is known to Ajv. The generators need `discriminator.mapping` and Ajv refuses it; the `const` of each branch says the same. */
function moved(key: string, value: unknown, names: Set<string>): unknown {
  if (key === '$ref' && typeof value === 'string') {
    const name = value.slice(COMPONENTS.length);
    names.add(name);
    return BASE + name;
  }
  const isDiscriminator = key === 'discriminator' && typeof value === 'object' && value !== null;
  return isDiscriminator && 'propertyName' in value ? { propertyName: value.propertyName } : value;
}

function createAjv(options: Options): Ajv2020 {
  const ajv = new Ajv2020({
    strict: true,
    strictTypes: false,
    // The documents are linted when they are bundled; checking them again at every start would take a tenth of a second.
    validateSchema: false,
    meta: false,
    discriminator: true,
    verbose: true,
    // It takes half of the time of compiling, and the checks are as fast without.
    code: { optimize: false },
    ...options,
  });
  addFormats.default(ajv);
  ajv.addFormat('date-time', { type: 'string', validate: isMoment });
  for (const keyword of ['example', 'x-comma-separated', 'x-in-words', 'x-secret']) ajv.addKeyword(keyword);
  return ajv;
}
