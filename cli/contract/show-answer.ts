import { Document, visit } from 'yaml';
import { safeText } from '../../server/safe-text.ts';
import { cell, tableInParts } from '../table.ts';
import type { Terminal } from '../terminal.ts';
import type { ApiCommand } from './api-commands.ts';
import { isObject } from './schemas.ts';
import { type Answer, PAGE_SIZE } from './run-api-command.ts';
import { shortName } from './target.ts';

/** For programs: JSON, an object a line. For people: a table of a list, YAML of an object. */
export async function showAnswer(
  { verb, listing }: ApiCommand,
  answer: Answer,
  { workspace }: { readonly workspace: string },
  terminal: Terminal,
  isForPrograms: boolean,
): Promise<void> {
  if (answer.kind === 'object') {
    if (isForPrograms) return terminal.print(JSON.stringify(answer.object));
    if (isObject(answer.object) && Object.keys(answer.object).length === 0)
      return terminal.say(`${answer.target.name}: ${verb === 'delete' ? 'deleted' : 'done'}`);
    return terminal.print(yamlOf(answer.object));
  }
  if (!isForPrograms) return printTable(answer.items, listing?.columns ?? [], workspace, terminal);
  for await (const item of answer.items) {
    if (!terminal.isRead()) return;
    terminal.print(JSON.stringify(item));
  }
}

type Items = Extract<Answer, { kind: 'items' }>['items'];

/** Page by page, as a list may be longer than somebody waits, or than there is memory for. */
async function printTable(
  items: Items,
  columns: readonly string[],
  workspace: string,
  terminal: Terminal,
): Promise<void> {
  const textOf = tableInParts(columns);
  let rows: string[][] = [];
  for await (const item of items) {
    if (rows.length === PAGE_SIZE) {
      terminal.print(textOf(rows));
      rows = [];
    }
    if (!terminal.isRead()) return;
    rows.push(columns.map((column) => cellOf(column, item[column], workspace)));
  }
  terminal.print(textOf(rows));
}

export function yamlOf(value: unknown): string {
  const document = new Document(value, { aliasDuplicateObjects: false });
  // Between double quotes what a terminal would act on can be escaped.
  visit(document, {
    Scalar(_key, node) {
      if (typeof node.value === 'string' && safeText(node.value) !== node.value) node.type = 'QUOTE_DOUBLE';
    },
  });
  return document.toString({ lineWidth: 0 }).trimEnd();
}

function cellOf(column: string, value: unknown, workspace: string): string {
  return column === 'name' && typeof value === 'string' ? shortName(value, workspace) : cell(value);
}
