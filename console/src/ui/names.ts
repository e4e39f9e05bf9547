/** The last part of a resource name: `web` of `workspaces/main/sources/web`. */
export function slugOf(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1);
}

/** What a resource is called, when it has been given a name for people. */
export function titleOf({
  name,
  display_name: title,
}: {
  readonly name: string;
  readonly display_name: string;
}): string {
  return title === '' ? slugOf(name) : title;
}

/** In one line, with the id: others may be called the same. */
export function titleWithId(resource: Parameters<typeof titleOf>[0]): string {
  const [title, id] = [titleOf(resource), slugOf(resource.name)];
  return title === id ? id : `${title} (${id})`;
}

/** A slug out of what a person typed. */
export function slugFrom(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/[^a-z0-9._-]+/g, '-')
    .replaceAll(/^[^a-z0-9]+|-+$/g, '')
    .slice(0, 100);
}

/** `schema_violation` → `Schema violation`. */
export function wordsOf(code: string): string {
  const words = code.replaceAll('_', ' ').replace(/^http /, 'HTTP ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** `updateDestination` → `Update destination`. */
export function operationWords(operation: string): string {
  return wordsOf(operation.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
}

/** The API writes clauses; a sentence begins with a capital letter, and ends. */
export function sentence(clause: string): string {
  const text = clause.charAt(0).toUpperCase() + clause.slice(1);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** A random token of letters and digits, each equally likely. */
export function randomToken(length: number): string {
  let token = '';
  while (token.length < length) {
    const [byte = 255] = crypto.getRandomValues(new Uint8Array(1));
    // 248 is the greatest multiple of 62 in a byte.
    if (byte < 248) token += ALPHABET.charAt(byte % ALPHABET.length);
  }
  return token;
}
