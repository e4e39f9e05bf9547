import { isObject } from '../model/json-values.ts';
import { Budget, decided } from '../evaluation/budget.ts';
import { spendOnJson } from '../evaluation/json-steps.ts';
import { PacedWork } from '../fairness/paced-work.ts';
import { type Document, METHODS, type Operation } from '../http/document.ts';
import { ApiError } from '../http/errors.ts';
import { type Caller, canWrite } from './callers.ts';
import { entityTag } from './entity-tag.ts';
import { Kept } from './kept.ts';
import { createRedaction } from './redaction.ts';

/** HTTP knows more methods than this API has anywhere (CFG-19); one that it has elsewhere is a 404 here (CFG-15). */
export function noSuchMethod({ method, path }: { readonly method: string; readonly path: string }): ApiError {
  const isKnown = ['HEAD', ...METHODS.map((name) => name.toUpperCase())].includes(method);
  return isKnown
    ? new ApiError('NotFound', `${method} ${path} is not a method of this API`)
    : new ApiError('Unimplemented', `${method} is not implemented by this API`);
}

/** An answer as its caller may see it, as JSON. */
export interface ShownAnswer {
  readonly text: string;
  /** Of the state that a change would be decided on. */
  readonly tag?: string;
}

export interface Answers {
  /** Whether it takes the event loop so long to make the text of an answer that others would wait for it. */
  readonly isLarge: (answer: unknown) => boolean;
  readonly show: (operation: Operation, answer: unknown, caller: Caller) => ShownAnswer;
  /** The same in parts, between which others go on. */
  readonly showInParts: (operation: Operation, answer: unknown, caller: Caller) => Promise<ShownAnswer>;
}

/** What is made at once: 100 KB of JSON and more, or half as much of short fields. */
const LARGE_STEPS = 250_000;

export function createAnswers(document: Document): Answers {
  const redacted = createRedaction(document);
  const [texts, tags] = [new Kept(JSON.stringify), new Kept(entityTag)];
  const parts = (operation: Operation, answer: unknown, { token }: Caller): Parts => {
    const body = canWrite(token) ? answer : redacted(answer, operation);
    if (!isObject(body)) return { text: [JSON.stringify(body)], tag: [] };
    const text = 'next_page_token' in body ? pageParts(body, texts) : partsOf(() => texts.of(body));
    // What is redacted does not show the state that a change would be decided on, and its tag would let secrets be guessed.
    // A page has no tag: nobody updates a page.
    return { text, tag: body === answer && 'name' in body ? partsOf(() => tags.of(body)) : [] };
  };
  return {
    isLarge: (answer) => decided(() => spendOn(answer, texts, new Budget(LARGE_STEPS))) === 'undecided',
    show(...asked) {
      const { text, tag } = parts(...asked);
      return shownAnswer([...text], [...tag]);
    },
    async showInParts(...asked) {
      const { text, tag } = parts(...asked);
      const paced = new PacedWork();
      const made = (of: Iterable<string>) => paced.each(paced.parts(of), (part) => part);
      return shownAnswer(await made(text), await made(tag));
    },
  };
}

interface Parts {
  readonly text: Iterable<string>;
  /** One at most. */
  readonly tag: Iterable<string>;
}

function shownAnswer(text: readonly string[], [tag]: readonly string[]): ShownAnswer {
  return { text: text.join(''), ...(tag === undefined ? {} : { tag }) };
}

function* partsOf(make: () => string): Generator<string> {
  yield make();
}

/** Of the items of a page what is kept of them. */
function* pageParts(page: object, texts: Kept): Generator<string> {
  let separator = '{';
  for (const key of Object.keys(page)) {
    const value: unknown = Reflect.get(page, key);
    yield `${separator}${JSON.stringify(key)}:`;
    separator = ',';
    if (Array.isArray(value)) yield* listParts(value, texts);
    else yield JSON.stringify(value);
  }
  yield '}';
}

function* listParts(list: readonly unknown[], texts: Kept): Generator<string> {
  let separator = '[';
  for (const item of list) {
    yield `${separator}${isObject(item) ? texts.of(item) : JSON.stringify(item)}`;
    separator = ',';
  }
  yield list.length === 0 ? '[]' : ']';
}

/** About what it takes to write an answer; of what is kept, to put it together. */
function spendOn(answer: unknown, texts: Kept, budget: Budget): void {
  for (const value of isObject(answer) && texts.known(answer) === undefined ? Object.values(answer) : [answer]) {
    for (const item of Array.isArray(value) ? value : [value]) {
      const text = isObject(item) ? texts.known(item) : undefined;
      if (text === undefined) spendOnJson(item, budget);
      else budget.spend(text.length);
    }
  }
}
