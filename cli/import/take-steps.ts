import { isConfigApiError } from '../../client/config/config-api-error.ts';
import type { Api } from '../configuration/api.ts';
import { createTaker, inStages } from '../configuration/apply.ts';
import type { Step } from '../configuration/differences.ts';
import type { Note } from './notes.ts';

export interface Taken {
  readonly done: readonly Step[];
  readonly refused: readonly Note[];
}

/**
 * Takes all steps that can be taken. What the API refuses is told, with what it would have been the parent of; anything
 * else that fails ends the import, which goes on when it is started again.
 */
export async function takeSteps(
  api: Api,
  steps: readonly Step[],
  plans: ReadonlyMap<string, string>,
  tell: (step: Step) => void,
): Promise<Taken> {
  const [done, refused]: [Step[], Note[]] = [[], []];
  const missing: string[] = [];
  const take = createTaker(api, plans);
  await inStages(steps, async (step) => {
    const parent = missing.find((label) => step.label.startsWith(label));
    if (parent !== undefined) {
      refused.push({ place: step.label, text: `needs ${parent}, which was refused` });
      return;
    }
    try {
      await take(step);
      done.push(step);
      tell(step);
    } catch (error) {
      if (!isConfigApiError(error, 'InvalidArgument', 'AlreadyExists', 'NotFound')) throw error;
      refused.push({ place: step.label, text: error.message });
      if (step.action === 'create') missing.push(`${step.label}/`, `${step.label} for `);
    }
  });
  return { done, refused };
}
