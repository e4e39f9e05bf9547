/** A definition that does not hold; its message begins with the place. */
export class DefinitionFault extends Error {
  override readonly name = 'DefinitionFault';

  constructor(place: string, what: string) {
    super(`${place}${what.startsWith(':') ? '' : ' '}${what}`);
  }
}

/** The fields that stand where exactly one of some is asked for. */
export function seenFields(fields: readonly string[]): string {
  if (fields.length === 0) return 'none';
  return `${fields.join(' and ').slice(0, 80)}${fields.length > 1 ? ': use one' : ''}`;
}

/** As much of a value as a message shows. */
export function seen(value: unknown): string {
  return (JSON.stringify(value) ?? 'nothing').slice(0, 80);
}
