import { webhooksOf } from '../destinations/webhooks-settings.ts';
import { inTurn, type Turns } from '../evaluation/turns.ts';
import { createFilters } from '../filters/filters.ts';
import type { ConfigStore, Resources } from '../storage/config-store.ts';
import type { Undecided } from '../losses/undecided-port.ts';
import { secretMask } from './secret-mask.ts';
import type { Target, Targets } from './target.ts';

interface Ports {
  readonly store: Pick<ConfigStore, 'get' | 'list'>;
  readonly undecided: Pick<Undecided, 'add'>;
  readonly turns: Turns;
}

/** Reads what a destination is from the config store, at each round anew: a change holds at once (D-13, D-30). */
export function createTargets({ store, undecided, turns }: Ports): Targets {
  const filters = createFilters(store, undecided);
  const settingsOf = rememberSettings();
  return async (name) => {
    const destination = await store.get('destinations', name);
    if (destination?.enabled !== true) return undefined;
    const { reshape } = await filters(name);
    const settings = settingsOf(destination);
    if (reshape === undefined) return settings;
    // Of deliveries that are ready together, one after the other: others get their turn between (SAFE-2).
    return { ...settings, reshape: (event) => inTurn(turns, (budget) => reshape(event, budget)) };
  };
}

/** A stored destination never changes, a change replaces it: so its settings are read once, and their mask is made once. */
function rememberSettings(): (destination: Resources['destinations']) => Target {
  const read = new WeakMap<Resources['destinations'], Target>();
  return (destination) => {
    const known = read.get(destination);
    if (known !== undefined) return known;
    const settings = webhooksOf(destination);
    const target = { ...settings, mask: secretMask(settings) };
    read.set(destination, target);
    return target;
  };
}
