/** A configuration, as a file wants it or as a router has it. */
export type Fields = Readonly<Record<string, unknown>>;

export interface WorkspaceNode {
  readonly fields: Fields;
  /** The limits that it names; of a router those that are set. */
  readonly quota: Fields;
  readonly sources: ReadonlyMap<string, SourceNode>;
  readonly plans: readonly PlanNode[];
  readonly computed: Readonly<Record<ComputedKind, readonly Unnamed[]>>;
}

/** Audiences refer to computed traits, and to each other. */
export const COMPUTED_KINDS = ['computedTraits', 'audiences'] as const;
export type ComputedKind = (typeof COMPUTED_KINDS)[number];

export interface SourceNode {
  readonly fields: Fields;
  readonly schemaConfig: Fields;
  /** Undefined where a file says nothing of them. */
  readonly destinations: ReadonlyMap<string, DestinationNode> | undefined;
}

export interface DestinationNode {
  readonly fields: Fields;
  readonly filters: readonly Unnamed[] | undefined;
}

/** What the API names itself: a file knows it by its title, and the router by its name. */
export interface Unnamed {
  readonly fields: Fields;
  readonly name: string | undefined;
}

export interface PlanNode extends Unnamed {
  /** Slugs of connected sources; undefined where a file says nothing of them. */
  readonly sources: readonly string[] | undefined;
}

/** By what a file knows those that have no name of their own: their title, and which of the same title it is. */
export function keysOf(nodes: readonly Unnamed[], title: string): readonly string[] {
  const seen = new Map<string, number>();
  return nodes.map(({ fields }) => {
    const given = fields[title];
    const text = typeof given === 'string' ? given : '';
    const count = (seen.get(text) ?? 0) + 1;
    seen.set(text, count);
    return count === 1 ? JSON.stringify(text) : `${JSON.stringify(text)} (${count})`;
  });
}
