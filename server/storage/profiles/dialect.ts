/** What the SQL of profiles says in another way on each database. Columns with JSON hold it as text, as it was written. */
export interface Dialect {
  /** Of the parameter with this number, from 1 on. */
  parameter(number: number): string;
  /** Whether a value is one of a list in JSON: lists are long, and parameters are few. */
  isAmong(value: string, list: string, kind: 'text' | 'number'): string;
  /** The number in JSON; null where it holds none. */
  number(json: string): string;
  /** The text in JSON; null where it holds none. */
  text(json: string): string;
  /** The moment of an ISO 8601 text in JSON, in milliseconds; null where it holds none. */
  moment(json: string): string;
  /** Whether JSON holds a list with an item, itself as JSON. */
  hasItem(json: string, item: string): string;
  /** Whether a text begins with another. */
  hasStart(text: string, start: string): string;
  /** Whether a text stands in another. */
  hasPart(text: string, part: string): string;
  /** A number as JSON, as JavaScript writes it. */
  json(number: string): string;
}

/** Collects the values of a statement while its text is made. */
export class Parameters {
  readonly values: (string | number)[] = [];
  readonly #dialect: Dialect;

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  /** What stands for a value in the text. */
  add(value: string | number): string {
    this.values.push(value);
    return this.#dialect.parameter(this.values.length);
  }
}
