import type { Script } from '../fault-script/step.ts';
import type { ReceiverEvent } from '../receiver/received.ts';
import type { Tally } from './tally.ts';

export interface Opening {
  readonly url: string;
  /** As the receiver plays it. */
  readonly script: Script;
  readonly seed: number;
  /** Whether it has a secret, and so checks signatures. */
  readonly checks: boolean;
}

/** What a command writes while a receiver runs; each call answers whole lines. */
export interface Report {
  readonly start: (opening: Opening) => readonly string[];
  readonly event: (event: ReceiverEvent) => readonly string[];
  readonly end: (tally: Tally) => readonly string[];
}
