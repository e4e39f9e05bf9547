/** What a person has to know of an import: what was not carried, or not as it was. */
export interface Note {
  /** What it is about: a full name, or `main/web/webhooks`. */
  readonly place: string;
  readonly text: string;
}
