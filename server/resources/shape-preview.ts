import type { components } from '../../generated/config-api.d.ts';
import { webhookBody } from '../delivery/webhook-request.ts';
import { inTurn } from '../fairness/turns.ts';
import { readShape } from '../shaping/read-shape.ts';
import { shaped } from '../shaping/shape.ts';
import { inPlace } from './destination-config.ts';
import { type Caller, turnsOfPreviews } from './callers.ts';
import type { ConfigHandlers, Env } from './env.ts';
import { readInput } from './filter-preview.ts';

type Schemas = components['schemas'];

export function shapePreviewHandlers(env: Env): Pick<ConfigHandlers, 'previewShape'> {
  return { previewShape: ({ body, caller }) => preview(body, caller, env) };
}

/** What a shape makes of an event, by the code and the budget of delivery. */
async function preview(
  { shape: sent, input }: Schemas['PreviewShape'],
  caller: Caller,
  { clock, turns }: Pick<Env, 'clock' | 'turns'>,
): Promise<Schemas['ShapePreview']> {
  const shape = inPlace('shape', () => readShape(sent));
  const whole = { ...webhookBody(readInput(input, clock.now())) };
  const { body, undecided } = await inTurn(turnsOfPreviews(turns, caller), (budget) => shaped(shape, whole, budget));
  return { output: JSON.stringify(body), undecided };
}
