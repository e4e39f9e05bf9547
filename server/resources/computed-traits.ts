import type { components } from '../../generated/config-api.d.ts';
import { readTraitDefinition } from '../audiences/definition.ts';
import { DEFINITION_LIMITS, type TraitDefinition } from '../model/definition.ts';
import type { ComputedTrait } from '../model/resources.ts';
import { type ComputedKind, computedMethods, shownComputed } from './computed.ts';
import { computedFields } from './computed-syncs.ts';
import type { ConfigHandlers, Env } from './env.ts';
import { methodsOf } from './kit.ts';
import { nameOf } from './names.ts';
import { pageOfResults } from './results-pages.ts';

type Wire = components['schemas']['ComputedTrait'];

const COMPUTED_TRAITS: ComputedKind<TraitDefinition> = {
  kind: 'computed-traits',
  key: 'computed_trait',
  prefix: 'tra',
  read: readTraitDefinition,
};

export function computedTraitHandlers(env: Env) {
  const { list, create, get, update, remove } = methodsOf(env.store, {
    kind: 'computed-traits',
    key: 'computed_trait',
    plural: 'computed_traits',
    maximum: DEFINITION_LIMITS.computedTraits,
    ...computedMethods(COMPUTED_TRAITS, env),
    show: (trait: ComputedTrait) => shown(trait, env),
    more: (names): Promise<ReadonlyMap<string, Partial<Wire>>> => computedFields(names, env),
  });
  return {
    listComputedTraits: list,
    createComputedTrait: create,
    getComputedTrait: get,
    updateComputedTrait: update,
    deleteComputedTrait: remove,
    async listComputedTraitValues({ path, query, caller }) {
      const asked = { kind: 'computed-traits', name: nameOf('computed-traits', path), caller } as const;
      const { results, next_page_token } = await pageOfResults(env, asked, { query, list: 'values' });
      return {
        values: results.map(({ user, value, since }) => ({
          user_id: user,
          // As JSON, by a run.
          value: JSON.parse(value),
          since_sync: since,
        })),
        next_page_token,
      };
    },
  } satisfies Partial<ConfigHandlers>;
}

function shown(trait: ComputedTrait, env: Env): Wire {
  return { ...shownComputed(trait, env), definition: trait.definition };
}
