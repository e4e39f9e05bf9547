import { basename } from 'node:path';
import type { Resources } from '../../../model/resources.ts';
import type { Log } from '../../../ports/log.ts';
import type { Change } from '../../config-store.ts';

/** The ending that gives up the file of a workspace: for one that is damaged, or in the place of one that is gone. */
const GIVEN_UP = '.lost';

/** How to start without a file. */
function givingUp(file: string): string {
  return /^[0-9a-f]{10}\.json$/.test(basename(file)) ? `rename it to ${file}${GIVEN_UP}` : 'move it away';
}

export function damaged(file: string, what: string, cause?: unknown): Error {
  const wayOut = `Put a good copy in its place, or ${givingUp(file)} to go on without what it holds`;
  return new Error(`${file} ${what}. Nothing was touched. ${wayOut}.`, { cause });
}

/** The workspace id that names a file, or what stands beside it; undefined for every other file. */
export function idOf(name: string): string | undefined {
  return /^([0-9a-f]{10})\.(?:json(?:\.[ab])?|audit\.jsonl(?:\.new)?)$/.exec(name)?.[1];
}

/** Starting empty here would make a new, empty store of one that lost a file. */
export function refuseLostRoot(root: string, names: ReadonlySet<string>): void {
  const lost = [...names].filter((name) => idOf(name) !== undefined);
  if (lost.length === 0) return;
  throw new Error(
    `${root} is missing, and files of workspaces are there: ${lost.join(', ')}. Nothing was touched. ` +
      'Put a good copy of it back, or move those files away to start with an empty store.',
  );
}

interface Beside {
  /** What stood in the folder. */
  readonly names: ReadonlySet<string>;
  readonly log: Log;
}

/** Without its sources senders would be refused, and what waits for its destinations cancelled. */
export function refuseLostFiles(
  gone: readonly { readonly file: string; readonly home: string }[],
  { names, log }: Beside,
): void {
  for (const { file, home } of gone) {
    if (!names.has(basename(file) + GIVEN_UP))
      throw new Error(
        `${file} of ${home} is missing. Nothing was touched. ` +
          `Put a good copy of it back, or make an empty file ${file}${GIVEN_UP} to go on without what it held.`,
      );
    log.warn({ file, workspace: home }, 'the file of this workspace was given up: it starts empty');
  }
}

/** Workspaces among changes; not those that are removed. */
export function newWorkspaces(changes: readonly Change[]): Resources['workspaces'][] {
  return changes.flatMap((change) =>
    change.kind === 'workspaces' && change.row !== undefined ? [change.row.resource] : [],
  );
}

/** A workspace whose creation was killed, or could not be written, leaves a file that holds nothing. */
export function isUnused(text: string | undefined): boolean {
  return text !== undefined && /^\{"waybill":"config",[^\n]*"sequence":0,[^\n]*"rows":\[\n\]\}\n$/.test(text);
}
