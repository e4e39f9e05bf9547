import type { Event, JsonObject } from '../../model/message.ts';

/** What an engine can keep of texts. */
export interface Keeping {
  /** Whether the character 0 stays, or becomes U+FFFD. */
  readonly nul: 'kept' | 'replaced';
}

/** A text as the engine keeps it: half of a pair of surrogates is no character. */
export function storedText(text: string, { nul }: Keeping): string {
  const whole = text.toWellFormed();
  return nul === 'kept' ? whole : whole.split('\0').join('\uFFFD');
}

/** As much of an event as profiles keep; undefined where it is nobody's. */
export function storedEvent(event: Event, keeping: Keeping): Event | undefined {
  const { userId, anonymousId, previousId, traits, messageId } = event;
  // A user whose id is too long is still not whoever else was seen on the same device.
  if (isLong(userId)) return undefined;
  return {
    ...event,
    messageId: storedText(messageId, keeping),
    ...ids({ userId, anonymousId, previousId }, (id) => (isLong(id) ? undefined : storedText(id, keeping))),
    ...(traits === undefined ? {} : { traits: storedTraits(traits, keeping) }),
  };
}

function isLong(id = ''): boolean {
  return Buffer.from(id.toWellFormed()).length > 1_000;
}

type Ids = Pick<Event, 'userId' | 'anonymousId' | 'previousId'>;

function ids(given: { readonly [Name in keyof Ids]: string | undefined }, stored: (id: string) => string | undefined) {
  return Object.fromEntries(
    Object.entries(given).map(([name, id]) => [name, id === undefined ? undefined : stored(id)]),
  );
}

/** Of traits: names of up to 200 characters, and values whose JSON has up to 4096 bytes. */
function storedTraits(traits: JsonObject, keeping: Keeping): JsonObject {
  const kept = Object.entries(traits).filter(([name, value]) => name.length <= 200 && isShort(value));
  return Object.fromEntries(kept.map(([name, value]) => [storedText(name, keeping), value]));
}

export function isShort(value: unknown): boolean {
  return Buffer.from(JSON.stringify(value)).length <= 4096;
}
