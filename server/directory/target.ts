import type { Target } from '../delivery/target.ts';
import { webhooksOf } from '../destinations/webhooks-settings.ts';
import { inTurn, type Turns, turnsOf } from '../fairness/turns.ts';
import type { FilterChain } from '../filters/chain.ts';
import type { Undecided } from '../losses/undecided.ts';
import type { JsonObject } from '../model/message.ts';
import { workspaceOf } from '../model/resource-names.ts';
import type { Resources } from '../model/resources.ts';
import { type Shape, shaped } from '../shaping/shape.ts';

export interface TargetParts {
  readonly undecided: Pick<Undecided, 'add'>;
  readonly turns: Turns;
}

/** An enabled destination, read once for all of its rounds until it changes. */
export function compileTarget(
  destination: Resources['destinations'],
  { admits, reshape }: FilterChain,
  parts: TargetParts,
): Target {
  const { shape, ...settings } = webhooksOf(destination);
  const turns = turnsOf(parts.turns, workspaceOf(destination.name));
  return {
    ...settings,
    createTime: destination.create_time,
    ...(admits && { admits: (event) => inTurn(turns, (budget) => admits(event, budget)) }),
    // Of deliveries that are ready together, one after the other: others get their turn between (SAFE-2).
    ...(reshape && { reshape: (event) => inTurn(turns, (budget) => reshape(event, budget)) }),
    ...(shape && { shape: shaper(shape, destination.name, { ...parts, turns }) }),
  };
}

function shaper(shape: Shape, destination: string, { turns, undecided }: TargetParts) {
  return async (whole: JsonObject): Promise<JsonObject> => {
    const { body, undecided: isUndecided } = await inTurn(turns, (budget) => shaped(shape, whole, budget));
    if (isUndecided) undecided.add('shape', destination, String(whole['receivedAt']));
    return body;
  };
}
