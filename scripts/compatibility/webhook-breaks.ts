/** JSON of a document, whose shape its linting has shown. */
type Json = Readonly<Record<string, unknown>>;

/** Constraints of a value: receivers were built for those that stood there. */
const CONSTRAINTS = [
  'type',
  'const',
  'enum',
  'pattern',
  'format',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
];

/**
 * What would break a receiver that was built for the released `webhooks` (CFG-23). The direction is the reverse of that
 * of `paths`: here Waybill sends the request. So one more field, required or not, is safe, and so is one more webhook;
 * a field, a header or a variant that is gone, that no longer always comes, or that means something else, is not.
 */
export function webhookBreaks(released: Json, current: Json): string[] {
  const compare = new Comparison(released, current);
  for (const [name, item] of entries(released['webhooks'])) {
    const now = at(current, 'webhooks', name);
    if (now === undefined) compare.found(`webhooks.${name} was removed`);
    else compare.operation(`webhooks.${name}`, object(item['post']), object(object(now)['post']));
  }
  compare.variants(
    'WebhookEvent',
    at(released, 'components', 'schemas', 'WebhookEvent'),
    at(current, 'components', 'schemas', 'WebhookEvent'),
  );
  return compare.breaks;
}

class Comparison {
  readonly breaks: string[] = [];
  readonly #released: Json;
  readonly #current: Json;
  /** Pairs of schemas that were compared: schemas may hold themselves. */
  readonly #seen = new Set<string>();

  constructor(released: Json, current: Json) {
    this.#released = released;
    this.#current = current;
  }

  found(what: string): void {
    this.breaks.push(what);
  }

  operation(place: string, before: Json, after: Json): void {
    this.#headers(
      place,
      this.#listAt(this.#released, before['parameters']),
      this.#listAt(this.#current, after['parameters']),
    );
    const [was, is] = [before, after].map((operation) => object(at(operation, 'requestBody', 'content')));
    for (const [type, media] of entries(was)) {
      const now = is?.[type];
      if (now === undefined) this.found(`${place} is no longer sent as ${type}`);
      else this.schema(`${place} body`, media['schema'], object(now)['schema']);
    }
    for (const [status] of entries(before['responses'])) {
      if (!(status in object(after['responses']))) this.found(`${place} says nothing about ${status} any more`);
    }
  }

  schema(place: string, released: unknown, current: unknown): void {
    const pair = `${JSON.stringify(released)}${JSON.stringify(current)}`;
    if (this.#seen.has(pair)) return;
    this.#seen.add(pair);
    const [before, after] = [follow(this.#released, released), follow(this.#current, current)];
    for (const keyword of CONSTRAINTS) this.#constraint(place, keyword, before[keyword], after[keyword]);
    this.variants(place, before, after);
    this.#properties(place, before, after);
    if (before['items'] !== undefined) this.schema(`${place}[]`, before['items'], after['items'] ?? {});
    if (before['additionalProperties'] !== false && after['additionalProperties'] === false) {
      this.found(`${place} no longer holds other fields`);
    }
  }

  variants(place: string, before: unknown, after: unknown): void {
    for (const keyword of ['oneOf', 'anyOf']) {
      const now = list(object(after)[keyword]).map((variant) => JSON.stringify(variant));
      const gone = list(object(before)[keyword]).filter((variant) => !now.includes(JSON.stringify(variant)));
      for (const variant of gone) this.found(`${place} no longer has the variant ${JSON.stringify(variant)}`);
    }
  }

  #properties(place: string, before: Json, after: Json): void {
    const required = list(after['required']);
    for (const name of list(before['required'])) {
      if (!required.includes(name)) this.found(`${place}.${String(name)} does not always come any more`);
    }
    for (const [name, schema] of entries(before['properties'])) {
      const now = object(after['properties'])[name];
      if (now === undefined) this.found(`${place}.${name} was removed`);
      else this.schema(`${place}.${name}`, schema, now);
    }
  }

  #constraint(place: string, keyword: string, before: unknown, after: unknown): void {
    const [was, is] = [before, after].map((value) => inOrder(value));
    if (was !== is) this.found(`${place}: ${keyword} was ${was ?? 'not said'}, and is ${is ?? 'not said'}`);
  }

  #headers(place: string, before: readonly Json[], after: readonly Json[]): void {
    for (const header of before) {
      const name = String(header['name']);
      const now = after.find((one) => String(one['name']).toLowerCase() === name.toLowerCase());
      if (now === undefined) this.found(`${place} no longer has the header ${name}`);
      else if (header['required'] === true && now['required'] !== true)
        this.found(`${place}: the header ${name} does not always come any more`);
      else this.schema(`${place} header ${name}`, header['schema'], now['schema']);
    }
  }

  #listAt(document: Json, parameters: unknown): Json[] {
    return list(parameters).map((parameter) => follow(document, parameter));
  }
}

function follow(document: Json, part: unknown): Json {
  const reference = object(part)['$ref'];
  if (typeof reference !== 'string') return object(part);
  return follow(document, at(document, ...reference.replace('#/', '').split('/')));
}

function at(value: unknown, ...steps: readonly string[]): unknown {
  return steps.reduce<unknown>((inner, step) => object(inner)[step], value);
}

function object(value: unknown): Json {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function entries(value: unknown): [name: string, value: Json][] {
  return Object.entries(object(value)).map(([name, inner]) => [name, object(inner)]);
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Lists of choices are the same in any order. */
function inOrder(value: unknown): string | undefined {
  if (!Array.isArray(value)) return JSON.stringify(value);
  return JSON.stringify(value.map((item) => JSON.stringify(item)).toSorted((a, b) => a.localeCompare(b)));
}
