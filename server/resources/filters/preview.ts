import type { components } from '../../../generated/config-api.d.ts';
import { inTurn } from '../../evaluation/turns.ts';
import { chainOf } from '../../filters/chain.ts';
import { readFilter } from '../../filters/filters.ts';
import type { ConfigHandlers, Env } from '../env.ts';
import { readInput } from './preview-input.ts';
import { makeFilter } from './resource.ts';

type Schemas = components['schemas'];

/** Samples are drawn by the filter's name: always this one, so that the same preview comes to the same. */
const NAME = 'preview';

export function filterPreviewHandlers(env: Env): Pick<ConfigHandlers, 'previewFilter'> {
  return { previewFilter: ({ body }) => preview(body, env) };
}

/**
 * What a filter, alone and as if it were enabled, makes of an event, by the code and the budgets of routing and delivery.
 * What cannot be decided is told here, and counted nowhere: no filter that is stored has failed.
 */
async function preview(
  { filter, input }: Schemas['PreviewFilter'],
  { clock, turns }: Pick<Env, 'clock' | 'turns'>,
): Promise<Schemas['FilterPreview']> {
  let undecided = false;
  const note = (): void => {
    undecided = true;
  };
  const tried = readFilter({ ...makeFilter({ filter }, NAME), name: NAME });
  const { admits, reshape } = chainOf([tried], { add: note });
  const event = readInput(input, clock.now());
  const isIn = admits === undefined || (await inTurn(turns, (budget) => admits(event, budget)));
  if (!isIn) return { dropped: true, undecided };
  const shaped = reshape === undefined ? event : await inTurn(turns, (budget) => reshape(event, budget));
  return { dropped: false, output: JSON.stringify(shaped), undecided };
}
