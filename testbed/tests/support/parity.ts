import { outcomeOf } from '../../../server/model/outcome.ts';
import type { Outcome } from '../../../server/model/outcome.ts';
import type { Transport } from '../../../server/ports/transport.ts';
import type { BackEndName, ParityRow } from '../../parity/vocabulary.ts';
import { exampleOf, webhookRequest } from '../../index.ts';
import { PARITY } from '../../parity/vocabulary.ts';

/** One delivery of the engine's Transport to an endpoint that plays a step, and what the engine concludes. */
export async function outcomeAt(url: string, transport: Transport, step: string, expected: Outcome): Promise<Outcome> {
  const request = {
    workspace: 'workspaces/main',
    url,
    ...webhookRequest(exampleOf('track')),
    deadlineMs: deadlineOf(step, expected),
  };
  return outcomeOf(await transport.post(request, new AbortController().signal));
}

/** Short only where the deadline itself is what is seen: on a busy machine everything else may take its time. */
function deadlineOf(step: string, expected: Outcome): number {
  if (expected === 'first_byte_timeout') return 200;
  return /silence|drip/.test(step) ? 1_000 : 20_000;
}

/** Step and outcome of every row that a back-end plays. */
export function playedBy(name: BackEndName): (readonly [step: string, outcome: Outcome])[] {
  return PARITY.flatMap(({ step, outcomes }) => {
    const outcome = outcomes[name];
    return outcome === undefined ? [] : [[step, outcome] as const];
  });
}

export function refusedBy(name: BackEndName): readonly ParityRow[] {
  return PARITY.filter(({ outcomes }) => outcomes[name] === undefined);
}
