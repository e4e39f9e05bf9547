import { Document, visit } from 'yaml';
import { safeText } from '../../server/safe-text.ts';
import { cell, table } from '../table.ts';
import type { Terminal } from '../terminal.ts';
import type { ApiCommand } from './api-commands.ts';
import { isObject } from './schemas.ts';
import type { Answer } from './run-api-command.ts';
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
  if (isForPrograms) {
    for await (const item of answer.items) terminal.print(JSON.stringify(item));
    return;
  }
  const items = await Array.fromAsync(answer.items);
  const columns = listing?.columns ?? [];
  const rows = items.map((item) => columns.map((column) => cellOf(column, item[column], workspace)));
  terminal.print(table(columns, rows));
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
