import { secretMask } from '../delivery/secret-mask.ts';
import type { Target } from '../delivery/target.ts';
import { webhooksOf } from '../destinations/webhooks-settings.ts';
import { inTurn, type Turns } from '../evaluation/turns.ts';
import type { FilterChain } from '../filters/chain.ts';
import type { Resources } from '../model/resources.ts';

/** An enabled destination, read once for all of its rounds until it changes. */
export function compileTarget(destination: Resources['destinations'], { reshape }: FilterChain, turns: Turns): Target {
  const settings = webhooksOf(destination);
  const target = { ...settings, mask: secretMask(settings) };
  if (reshape === undefined) return target;
  // Of deliveries that are ready together, one after the other: others get their turn between (SAFE-2).
  return { ...target, reshape: (event) => inTurn(turns, (budget) => reshape(event, budget)) };
}
