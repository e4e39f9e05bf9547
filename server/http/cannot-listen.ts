/** The address cannot be listened on. The message names it, and the way out. */
export class CannotListen extends Error {
  override readonly name = 'CannotListen';
}
