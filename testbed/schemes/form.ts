/** A field of a form, as it stands in the body and decoded. */
export interface FormField {
  readonly raw: string;
  readonly name: string;
  readonly value: string;
}

/** The fields of a form or of a query, in order; what is encoded wrongly is taken as it stands, as browsers do. */
export function formFields(text: string): readonly FormField[] {
  return text.split('&').map((raw) => {
    // A question mark in front would be taken off.
    const [[name, value] = ['', '']] = new URLSearchParams(raw.replace(/^\?/, '%3F'));
    return { raw, name, value };
  });
}

export function formField(name: string, value: string): string {
  return new URLSearchParams([[name, value]]).toString();
}
