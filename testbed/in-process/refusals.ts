import type { Stage, Step } from '../fault-script/step.ts';

const UNREAD: ReadonlySet<Stage | undefined> = new Set<Stage>(['connect', 'upload']);

/** What no interceptor inside the sender's process can do, whichever it is. */
export function refusesInProcess(step: Step): string | undefined {
  const stage = step.silence ?? step.reset ?? step.close;
  if (step.malformed !== undefined)
    return 'its answers are objects, and no bytes that could be malformed; use a receiver';
  if (step.interim !== undefined) return 'it sends one answer, and none before it; use a receiver';
  if (step.dripHeaders !== undefined) return 'its head goes out in one piece; use a receiver';
  if (UNREAD.has(stage))
    return 'it is asked once the whole request was read; take the stage request, or use a receiver';
  if (stage === 'answer') return 'there is no connection that could end after the answer; use a receiver';
  return refusesEndless(step);
}

/** Without a length beforehand, undici cannot cut an intercepted answer off: it breaks the whole process instead. */
function refusesEndless({ size, gzip, drip, body }: Step): string | undefined {
  if (size === 'endless' || (drip !== undefined && (size ?? body) === undefined))
    return 'an answer without an end cannot be cut off inside the process; give it a size, or use a receiver';
  if (gzip !== undefined && size !== undefined)
    return 'what is compressed while it is sent has no length beforehand; give it a body, or use a receiver';
  return undefined;
}
