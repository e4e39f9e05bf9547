import { isObject } from '../model/json-values.ts';
import { type Document, METHODS, type Operation } from '../http/document.ts';
import { ApiError } from '../http/errors.ts';
import { type Caller, canWrite } from './callers.ts';
import { entityTag } from './entity-tag.ts';
import { Kept } from './kept.ts';
import { createRedaction } from './redaction.ts';

/** Clients send doubled slashes and one at the end (D-6). */
export function tidy(path: string): string {
  return path.replaceAll(/\/{2,}/g, '/').replace(/\/$/, '');
}

/** HTTP knows more methods than this API has anywhere (CFG-19); one that it has elsewhere is a 404 here (CFG-15). */
export function noSuchMethod({ method, path }: { readonly method: string; readonly path: string }): ApiError {
  const isKnown = ['HEAD', ...METHODS.map((name) => name.toUpperCase())].includes(method);
  return isKnown
    ? new ApiError('NotFound', `${method} ${path} is not a method of this API`)
    : new ApiError('Unimplemented', `${method} is not implemented by this API`);
}

export function requireScope({ scopes }: Operation, { token }: Caller): void {
  if (!scopes.includes('write') || canWrite(token)) return;
  throw new ApiError('PermissionDenied', 'insufficient scope: this needs a token with the scope "workspace"');
}

/** An answer as this caller may see it, as JSON. */
export interface ShownAnswer {
  readonly text: string;
  /** Of the state that a change would be decided on. */
  readonly tag?: string;
}

export type Show = (operation: Operation, answer: unknown, caller: Caller) => ShownAnswer;

export function createShow(document: Document): Show {
  const redacted = createRedaction(document);
  const [texts, tags] = [new Kept(JSON.stringify), new Kept(entityTag)];
  return (operation, answer, { token }) => {
    const body = canWrite(token) ? answer : redacted(answer, operation);
    if (!isObject(body)) return { text: JSON.stringify(body) };
    const text = 'next_page_token' in body ? pageText(body, texts) : texts.of(body);
    // What is redacted does not show the state that a change would be decided on, and its tag would let secrets be guessed.
    // A page has no tag: nobody updates a page.
    return body === answer && 'name' in body ? { text, tag: tags.of(body) } : { text };
  };
}

/** Joined from what is kept of its items. */
function pageText(page: object, texts: Kept): string {
  const fields = Object.entries(page).map(([key, value]: [string, unknown]) => {
    const text = Array.isArray(value) ? listText(value, texts) : JSON.stringify(value);
    return `${JSON.stringify(key)}:${text}`;
  });
  return `{${fields.join(',')}}`;
}

function listText(list: readonly unknown[], texts: Kept): string {
  return `[${list.map((item) => (isObject(item) ? texts.of(item) : JSON.stringify(item))).join(',')}]`;
}
