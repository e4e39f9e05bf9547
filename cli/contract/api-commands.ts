import { type Document, type Operation, operationsOf, type Schema } from '../../server/http/document.ts';
import { type BodyShape, bodyShapeOf } from './body-shape.ts';
import { type Listing, listingOf } from './listing.ts';
import { resolved } from './schemas.ts';

/** A command that the contract gives: `waybill sources list` for the operation `listSources`. */
export interface ApiCommand {
  /** As `sources`. */
  readonly noun: string;
  /** As `list`. */
  readonly verb: string;
  readonly summary: string;
  /** The operations that it stands for: more than one where a resource has names of several forms. */
  readonly operations: readonly Operation[];
  /** Where the name of a new resource stands in its body; undefined where the API generates the name, or none is made. */
  readonly namedBy: string | undefined;
  /** Its parameters but those of paging, each with its schema. */
  readonly query: Readonly<Record<string, Schema>>;
  readonly body: BodyShape | undefined;
  /** How the pages of a list are read; undefined for an answer that is one object. */
  readonly listing: Listing | undefined;
}

const PAGING = ['page_size', 'page_token'];

/** All commands of the contract, in its order: nobody types them a second time. */
export function apiCommands(document: Document): readonly ApiCommand[] {
  const commands = new Map<string, ApiCommand>();
  const operations = operationsOf(document);
  for (const operation of operations) {
    // The same as the update, for clients that send it.
    if (operation.method === 'put') continue;
    // What comes in pieces is read by commands of their own: `events tail`, `backup`.
    if (operation.answerType !== 'application/json') continue;
    const command = { ...wordsOf(operations, operation), ...shapeOf(document, operation) };
    const key = `${command.noun} ${command.verb}`;
    const known = commands.get(key);
    commands.set(key, known === undefined ? command : { ...known, operations: [...known.operations, operation] });
  }
  return [...commands.values()];
}

function shapeOf(document: Document, operation: Operation): Omit<ApiCommand, 'noun' | 'verb'> {
  const body = bodyShapeOf(document, operation.bodySchema);
  const item = itemTemplate(document, operation.template);
  const isNamed = operation.method === 'post' && body?.hasName === true && item !== undefined;
  return {
    summary: body?.isMasked === true ? 'Change the fields that are given' : operation.summary.replace(/\.$/, ''),
    operations: [operation],
    namedBy: isNamed ? item : undefined,
    query: queryOf(document, operation),
    body,
    listing: listingOf(document, operation),
  };
}

function queryOf(document: Document, { parameters }: Operation): ApiCommand['query'] {
  const own = parameters.filter(({ in: place, name }) => place === 'query' && !PAGING.includes(name));
  return Object.fromEntries(
    own.map(({ name, schema, description }) => [name, { ...resolved(document, schema), description }]),
  );
}

/** What takes a longer form of a name is another way to the same. */
const ANOTHER_FORM = /ByName$/;

/** `createSource` is `sources create`, and `…/{destination}:rotateSecret` is `destinations rotate-secret`. */
function wordsOf(all: readonly Operation[], { id, template }: Operation): Pick<ApiCommand, 'noun' | 'verb'> {
  const same = ANOTHER_FORM.test(id) && all.find((other) => other.id === id.replace(ANOTHER_FORM, ''));
  if (same) return wordsOf(all, same);
  const [path = '', colonVerb] = template.split(':');
  if (colonVerb !== undefined) return { noun: nounOfPath(all, path), verb: kebab(colonVerb) };
  const [verb = id] = /^[a-z]+/.exec(id) ?? [];
  return { noun: nounOf(template, kebab(id.slice(verb.length)), verb), verb };
}

/** That of the resource at this path, or of the collection that it is in. */
function nounOfPath(all: readonly Operation[], path: string): string {
  const above = path.replace(/\/\{\w+\}$/, '');
  const same = all.find(({ template }) => template === path) ?? all.find(({ template }) => template === above);
  return same === undefined ? lastWord(path, '') : wordsOf(all, same).noun;
}

/** The last fixed part of the path, behind what the operation's id has before it: `source-` of `listSourceRegulations`. */
function nounOf(template: string, rest: string, verb: string): string {
  const word = lastWord(template, verb);
  const before = rest.split('-').slice(0, -word.split('-').length);
  return [...before, word].join('-');
}

function lastWord(template: string, verb: string): string {
  return template.split('/').findLast((part) => !part.startsWith('{') && part !== verb) ?? template;
}

function itemTemplate(document: Document, collection: string): string | undefined {
  const isItem = (template: string): boolean =>
    template.startsWith(`${collection}/{`) && !template.slice(collection.length + 1).includes('/');
  return Object.keys(document.paths).find((template) => isItem(template) && !template.includes(':'));
}

function kebab(words: string): string {
  return words.replaceAll(/(?<=[a-z])[A-Z]/g, '-$&').toLowerCase();
}
