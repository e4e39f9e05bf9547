import type { TlsFault } from '../tls/tls-fault.ts';

/** Where the sender's requests come to: one address for the whole run. */
export interface Stand extends AsyncDisposable {
  readonly url: string;
  /** Undefined where it speaks plain HTTP. */
  readonly tls?: {
    /** The certificate of the authority that the sender has to trust, in PEM. */
    readonly ca: string;
    /** From now on: ends the connections that there are, and shows new ones this fault. */
    readonly play: (fault: TlsFault) => void;
    /** Connections that the sender has open. */
    readonly open: number;
  };
  /** Connections that the sender has opened so far. */
  readonly connections: number;
  /** Ends the exchanges that are still under way. */
  readonly release: () => void;
}
