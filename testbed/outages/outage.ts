import type { Failure } from '../../server/ports/transport.ts';
import type { Duration } from '../fault-script/step.ts';

/** A stretch of an outage: for so long the endpoint plays a script, or cannot even be reached. */
export type Phase = { readonly lasts: Duration } & (
  | { readonly script: string; readonly failure?: never }
  /** What happens before there is HTTP, and so cannot stand in a script. */
  | { readonly failure: Failure; readonly script?: never }
);

/** A way in which real endpoints fail, hour by hour. Before and after its phases the endpoint is well. */
export interface Outage {
  readonly name: string;
  /** What happens at the endpoint. */
  readonly story: string;
  /** What the router is expected to do about it; the tests hold it to that. */
  readonly expects: string;
  readonly phases: readonly Phase[];
}
