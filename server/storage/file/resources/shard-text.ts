import type { AuditEntry, Kind } from '../../../model/resources.ts';
import type { Entry } from '../../config-store.ts';
import { KINDS, type State } from '../../resources/tables.ts';
import type { AuditMark } from './audit-file.ts';
import { FORMAT } from './migrations.ts';

interface Named {
  readonly name: string;
}

export type TextOf = (kind: Kind, row: Entry<Named>) => string;

/** What stands in a file of the configuration. */
export interface ShardText {
  readonly home: string;
  readonly state: State;
  readonly generation: number;
  /** Of the entries that stand beside the file; undefined where none do. */
  readonly audit?: AuditMark | undefined;
  /** Of the root file: each of its workspaces has a file. Earlier versions made one with the first change below it. */
  readonly complete?: true | undefined;
  /** Those that stand in it. */
  readonly entries: readonly Entry<AuditEntry>[];
  readonly textOf: TextOf;
}

/** A header, then one row a line. Made as it is read: the state is published, and not changed meanwhile. */
export function* linesOf({ home, state, generation, audit, complete, entries, textOf }: ShardText): Generator<string> {
  const { sequence, removed, tables } = state;
  const own = { home, generation, sequence, removed, audit, complete };
  const header = JSON.stringify({ waybill: 'config', format: FORMAT, ...own });
  yield `${header.slice(0, -1)},"rows":[`;
  let separator = '\n';
  for (const kind of KINDS) {
    const rows: Iterable<Entry<Named>> = kind === 'audit-entries' ? entries : tables[kind].all();
    for (const row of rows) {
      yield `${separator}{"kind":"${kind}","sequence":${row.sequence},"resource":${textOf(kind, row)}}`;
      separator = ',\n';
    }
  }
  yield '\n]}\n';
}

/** Characters: what is made into bytes at once takes about a millisecond. */
const PART_LENGTH = 262_144;

/** The bytes of lines, in parts, so that whoever writes a large file makes nobody wait for the whole of it. */
export function* buffersOf(lines: Iterable<string>): Generator<Buffer> {
  let part = '';
  for (const line of lines) {
    part += line;
    if (part.length < PART_LENGTH) continue;
    yield Buffer.from(part);
    part = '';
  }
  yield Buffer.from(part);
}
