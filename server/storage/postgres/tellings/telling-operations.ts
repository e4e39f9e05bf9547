import type { TellingStorage } from '../../telling-storage.ts';
import type { Database } from '../connection/database.ts';
import type { Ids } from '../deliveries/ids.ts';
import { countWaiting } from '../jobs/replay-step.ts';
import type { Names } from '../names.ts';
import type { DatabaseTime } from '../time.ts';
import { settle } from './settle.ts';
import { syncVerbs } from './syncs.ts';
import { tell } from './tell.ts';
import { forgetTold, told, toldDestinations } from './told.ts';

export interface TellingParts {
  readonly database: Database;
  readonly names: Pick<Names, 'add' | 'idOf' | 'read' | 'nameOf'>;
  readonly ids: Ids;
  readonly time: Pick<DatabaseTime, 'now' | 'toDatabase'>;
}

export function tellingOperations(parts: TellingParts): TellingStorage {
  return {
    ...syncVerbs(parts),
    told: told(parts),
    toldDestinations: toldDestinations(parts),
    tell: tell(parts),
    waiting: waiting(parts),
    settle: settle(parts),
    forgetTold: forgetTold(parts),
  };
}

function waiting({ database, names }: TellingParts): TellingStorage['waiting'] {
  return async ({ destination, limit }) => {
    await names.add([destination]);
    return countWaiting(database, names.idOf(destination), limit);
  };
}
