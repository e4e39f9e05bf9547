import type { Pipeline } from '../events/pipeline.ts';
import { workspaceOf } from '../model/resources.ts';
import { OutcomeUnknown } from '../storage/errors.ts';
import type { Quotas } from './quotas.ts';

type Receiving = Pick<Pipeline, 'receive' | 'drop'>;

/** The pipeline for what senders bring: a request beyond the quota of its workspace is refused before anything of it is stored. */
export function quotedPipeline(pipeline: Receiving, quotas: Pick<Quotas, 'take'>): Receiving {
  return {
    drop: (...dropped) => pipeline.drop(...dropped),
    receive: async (received) => {
      const taken = quotas.take(workspaceOf(received.source), received.calls.length);
      if (taken === undefined) return pipeline.receive(received);
      const pass = await taken;
      return pipeline.receive(received).catch((error: unknown) => {
        // What may be stored counts: a quota must not be passed.
        if (!(error instanceof OutcomeUnknown)) pass.giveBack();
        throw error;
      });
    },
  };
}
