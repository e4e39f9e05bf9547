import { formOf, idsIn } from '../client/config/name-templates.ts';
import { UsageError } from '../server/cli/command.ts';
import type { Connection } from './connection.ts';

const FORM = 'workspaces/{workspace}/sources/{source}';

/** The full name of a source that a person named, by its slug or in full. */
export function readSourceName(given: string, { workspace }: Pick<Connection, 'workspace'>): string {
  const name = given.includes('/') ? given : `workspaces/${workspace}/sources/${given}`;
  if (idsIn(FORM, name) !== undefined) return name;
  throw new UsageError(`${JSON.stringify(given)} is not a name of the form <source> or ${formOf(FORM)}`);
}
