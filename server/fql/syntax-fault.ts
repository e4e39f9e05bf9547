/** A condition that cannot be parsed. */
export class FqlFault extends Error {
  override readonly name = 'FqlFault';
  /** Where the mistake is, counted in characters (UTF-16 units) from 1. */
  readonly column: number;

  constructor(column: number, message: string) {
    super(message);
    this.column = column;
  }
}
