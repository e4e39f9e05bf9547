/** A definition that does not hold; its message begins with the place. */
export class DefinitionFault extends Error {
  override readonly name = 'DefinitionFault';

  constructor(place: string, what: string) {
    super(`${place}${what.startsWith(':') ? '' : ' '}${what}`);
  }
}

/** As much of a value as a message shows. */
export function seen(value: unknown): string {
  return (JSON.stringify(value) ?? 'nothing').slice(0, 80);
}
