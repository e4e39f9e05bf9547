/** A rule of a tracking plan that cannot be used. The message says where, what is wrong, and what would do instead. */
export class SchemaFault extends Error {
  override readonly name = 'SchemaFault';

  constructor(place: string, fault: string) {
    super(`${place} ${fault}`);
  }
}
