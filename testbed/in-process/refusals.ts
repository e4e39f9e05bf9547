import type { Stage, Step } from '../fault-script/step.ts';

const UNREAD: ReadonlySet<Stage | undefined> = new Set<Stage>(['connect', 'upload']);

/** What no interceptor inside the sender's process can do, whichever it is. */
export function refusesInProcess(step: Step): string | undefined {
  const stage = step.silence ?? step.reset ?? step.close;
  if (step.malformed !== undefined) return 'malformed bytes are unsupported; use a receiver';
  if (step.interim !== undefined) return 'interim answers are unsupported; use a receiver';
  if (step.dripHeaders !== undefined) return 'headers are sent at once; use a receiver';
  if (UNREAD.has(stage)) return 'the request is read first; use stage request, or a receiver';
  if (stage === 'answer') return 'there is no connection to end; use a receiver';
  return refusesEndless(step);
}

/** Without a length beforehand, undici cannot cut an intercepted answer off: it breaks the whole process instead. */
function refusesEndless({ size, gzip, drip, body }: Step): string | undefined {
  if (size === 'endless' || (drip !== undefined && (size ?? body) === undefined))
    return 'endless answers are unsupported in process; set a size, or use a receiver';
  if (gzip !== undefined && size !== undefined)
    return 'compressed streams have no length; set a body, or use a receiver';
  return undefined;
}
