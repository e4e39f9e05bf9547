import { cell } from '../table.ts';

/** What a person has to know of an import: what was not carried, or not as it was. */
export interface Note {
  /** What it is about: a full name, or `main/web/webhooks`. */
  readonly place: string;
  readonly text: string;
  /** What the same happened to others by; the text where it is absent. */
  readonly cause?: string;
}

/** So many of one cause are told one by one, and so many are named of more. */
const NAMED = 3;

export function noteLine({ place, text }: Note): string {
  return `! ${cell(place)}: ${cell(text)}`;
}

/** A line for each note; one for all of the same cause where there are many, in the place of the first. */
export function noteLines(notes: readonly Note[]): readonly string[] {
  const groups = Map.groupBy(notes, ({ cause, text }) => cause ?? text);
  return [...groups].flatMap(([cause, same]) => {
    if (same.length <= NAMED) return same.map(noteLine);
    const named = same.slice(0, NAMED).map(({ place }) => cell(place));
    return [`! ${named.join(', ')} and ${same.length - NAMED} more (each with --json): ${cell(cause)}`];
  });
}
