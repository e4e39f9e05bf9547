import type { Kind } from '../../../model/resources.ts';
import { isStored, readStored } from '../../../model/stored-rows.ts';
import type { Change } from '../../config-store.ts';
import type { Keyring } from '../../secrets/keyring.ts';
import { openedRow } from '../../secrets/sealed-rows.ts';
import { toEntry } from '../../resources/stored-entry.ts';
import { KINDS } from '../../resources/tables.ts';
import type { ResourceRow } from './statements.ts';

/** What a row says now; without a body it is gone. Undefined where its kind is of a newer version, whose routers know it. */
export function changeOf({ kind, name, sequence, body }: ResourceRow, keyring: Keyring): Change | undefined {
  const known = KINDS.find((one) => one === kind);
  if (known === undefined) return undefined;
  const row = body === null ? undefined : entryOf(known, name, sequence, openedRow(keyring, known, body));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a row of its kind; the compiler cannot tell that of a union
  return { kind: known, name, row } as Change;
}

function entryOf(kind: Kind, name: string, sequence: number, body: unknown) {
  if (isStored(kind, body)) return toEntry(sequence, readStored(kind, body));
  throw new Error(`${name} in the table resources is damaged: it is not of the kind ${kind}`);
}
