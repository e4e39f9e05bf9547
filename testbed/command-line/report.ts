import type { EndpointView } from '../receiver/receiver.ts';
import type { ReceiverEvent } from '../receiver/received.ts';
import type { Tally } from './tally.ts';

export interface Opening {
  readonly url: string;
  /** Where others reach it that listens on all addresses of this machine. */
  readonly elsewhere?: readonly string[];
  readonly endpoints: readonly EndpointView[];
  readonly seed: number;
  /** The file with the certificate of the authority that senders have to trust. */
  readonly ca?: string;
  /** Where the control API listens. */
  readonly control?: string;
  /** The page that shows what arrives, with its token. */
  readonly page?: string;
  readonly record?: string;
  readonly har?: string;
}

/** What a command writes while a receiver runs; each call answers whole lines. */
export interface Report {
  readonly start: (opening: Opening) => readonly string[];
  readonly event: (event: ReceiverEvent) => readonly string[];
  readonly end: (tally: Tally) => readonly string[];
}
