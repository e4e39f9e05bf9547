/** What a customer defines, and the router evaluates for each event. */
export type DefinitionKind = 'filter' | 'tracking_plan';

/** Evaluations of one definition that ended without an outcome, since this process began. */
export interface UndecidedCount {
  readonly count: number;
  /** When the last of their events was received: ISO 8601 in UTC. */
  readonly lastTime: string;
}

/** The evaluations whose budget was used up (SAFE-2), by the full name of the definition. */
export interface Undecided {
  add(kind: DefinitionKind, name: string, receivedAt: string): void;
  of(name: string): UndecidedCount | undefined;
}
