import type { SocketPhase } from '../outages/socket-outage.ts';
import type { TlsFault } from '../tls/tls-fault.ts';
import type { ReceiverClock } from './receiver-clock.ts';

/** What an outage does to a receiver. */
export interface Stage {
  /** Plays a script at every endpoint; undefined plays what each was given. */
  readonly play: (script: string | undefined) => void;
  readonly certify: (fault: TlsFault | undefined) => void;
  /** Nobody listens any more. */
  readonly leave: () => void;
  readonly comeBack: () => Promise<void>;
}

/** Plays the phases of an outage one after another, and leaves the receiver as it was given; ends early with the signal. */
export async function playOutage(
  phases: readonly SocketPhase[],
  stage: Stage,
  clock: ReceiverClock,
  signal: AbortSignal,
): Promise<void> {
  for (const phase of phases) {
    const end = begin(phase, stage);
    await clock.sleep(phase.lastsMs, signal);
    if (signal.aborted) return;
    await end();
  }
  stage.play(undefined);
}

/** Answers what ends the phase. A script needs nothing: the next phase plays another. */
function begin(phase: SocketPhase, stage: Stage): () => Promise<void> | void {
  switch (phase.kind) {
    case 'script':
      stage.play(phase.script);
      return () => undefined;
    case 'tls':
      stage.certify(phase.fault);
      return () => stage.certify(undefined);
    case 'gone':
      stage.leave();
      return () => stage.comeBack();
  }
}
