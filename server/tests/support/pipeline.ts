import { type Directory, openDirectory } from '../../directory/directory.ts';
import type { Dispatcher } from '../../events/accept.ts';
import { Pipeline, type PipelinePorts } from '../../events/pipeline.ts';
import { createAcceptedEvents } from '../../losses/accepted-events.ts';
import { createDroppedEvents } from '../../losses/dropped-events.ts';
import { createViolations } from '../../losses/violations.ts';
import type { ConfigStore } from '../../storage/config-store.ts';
import { newEvaluation } from './evaluation.ts';
import { stillLive } from './live-events.ts';
import { RecordingLog } from './ingestion-log.ts';

type Given = Pick<PipelinePorts, 'deliveries' | 'clock'> &
  Partial<Omit<PipelinePorts, 'directory' | 'log' | 'accepted' | 'dropped' | 'violations'>> & {
    readonly config: Pick<ConfigStore, 'watch' | 'refresh'>;
    readonly dispatcher: Dispatcher;
    readonly log?: RecordingLog;
  };

/** Production's pipeline over these stores, with all that it tells. */
export async function startPipeline({ config, ...given }: Given) {
  const losses = { dropped: createDroppedEvents(), violations: createViolations(), log: new RecordingLog() };
  const ports = {
    ...newEvaluation(),
    ...losses,
    accepted: createAcceptedEvents(),
    live: stillLive(),
    newId: countedIds(),
    ...given,
  };
  const directory: Directory = await openDirectory(config, ports);
  return { ...ports, directory, pipeline: new Pipeline({ ...ports, directory }) };
}

function countedIds(): () => string {
  let made = 0;
  return () => `api-id-${++made}`;
}
