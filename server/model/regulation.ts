import { storable } from './json-values.ts';
import type { Regulation } from './resources.ts';

type Type = Regulation['regulation_type'];

/** What each type asks for (D-12). An internal deletion is told to nobody outside. */
const EFFECTS = {
  Suppress: { suppresses: true, deletes: false, notifies: false },
  Unsuppress: { suppresses: false, deletes: false, notifies: false },
  Suppress_With_Delete: { suppresses: true, deletes: true, notifies: true },
  Delete: { suppresses: false, deletes: true, notifies: true },
  Delete_Internal: { suppresses: false, deletes: true, notifies: false },
} as const satisfies Record<Type, { suppresses: boolean; deletes: boolean; notifies: boolean }>;

/** What it holds for: a workspace, or one of its sources. A row that names no source holds for its workspace. */
export function scopeOf({ parent, source_name }: Regulation): string {
  return source_name ?? parent;
}

export function effectsOf({ regulation_type: type }: Regulation): (typeof EFFECTS)[Type] {
  return EFFECTS[type];
}

/**
 * Whose events a deletion removes: its users, as they were sent, and as storages hold them, what was moved from a database as it was
 * there; and all that they are known under, once that was found out.
 */
export function erasedIds({ known_ids: known, user_ids: ids }: Regulation): readonly string[] {
  return known ?? [...new Set(ids.flatMap((id) => [id, id.toWellFormed(), storable(id)]))];
}

/** The first state, and the only one in which it can be cancelled. */
export function isUntouched({ overall_status: status }: Regulation): boolean {
  return status === 'INITIALIZED';
}

export function isOver({ overall_status: status }: Regulation): boolean {
  return status === 'FINISHED';
}

/**
 * INITIALIZED → RUNNING: from here on its sources are fixed: of those of its workspace the one that it is limited to, also
 * when that was deleted meanwhile, or else all of them. One that runs already goes on as it is.
 */
export function begun(regulation: Regulation, sources: readonly string[]): Regulation {
  if (!isUntouched(regulation)) return regulation;
  const affected = regulation.source_name === undefined ? sources : [regulation.source_name];
  const source_status = affected.map((source_name) => ({ source_name, status: 'RUNNING' as const }));
  return { ...regulation, overall_status: 'RUNNING', source_status };
}

/** Its sources are finished once all is erased: what has come of its users since is not its concern. */
export function isErased({ source_status: sources }: Regulation): boolean {
  return sources.some(({ status }) => status === 'FINISHED');
}

export function withSourcesFinished(regulation: Regulation, sources: ReadonlySet<string>): Regulation {
  const source_status = regulation.source_status.map((one) =>
    sources.has(one.source_name) ? { ...one, status: 'FINISHED' as const } : one,
  );
  return { ...regulation, source_status };
}

/** Sources of a regulation that is over: of thousands nobody reads, in each regulation for as long as its workspace stands. */
const KEPT_SOURCES = 100;

/** RUNNING → FINISHED. The ids are kept only where later events are judged by them. */
export function finished({ known_ids: _known, ...regulation }: Regulation, at: string): Regulation {
  const { deletes, suppresses } = effectsOf(regulation);
  const user_ids = deletes && !suppresses ? [] : regulation.user_ids;
  const source_status = regulation.source_status.slice(0, KEPT_SOURCES);
  return { ...regulation, overall_status: 'FINISHED', finish_time: at, user_ids, source_status };
}
