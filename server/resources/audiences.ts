import type { components } from '../../generated/config-api.d.ts';
import { readDefinition } from '../audiences/definition.ts';
import { checkReferences } from '../audiences/references.ts';
import { type Definition, DEFINITION_LIMITS } from '../model/definition.ts';
import type { Audience } from '../model/resources.ts';
import { type ComputedKind, computedMethods, shownComputed } from './computed.ts';
import { computedFields } from './computed-syncs.ts';
import type { ConfigHandlers, Env } from './env.ts';
import { methodsOf } from './kit.ts';

type Wire = components['schemas']['Audience'];

const AUDIENCES: ComputedKind<Definition> = {
  kind: 'audiences',
  key: 'audience',
  prefix: 'aud',
  read: readDefinition,
  check({ name, definition }, home, place) {
    const others = home.all('audiences').map((one) => [one.name, one.definition] as const);
    checkReferences(name, new Map([...others, [name, definition]]), place);
  },
};

export function audienceHandlers(env: Env) {
  const { list, create, get, update, remove } = methodsOf(env.store, {
    kind: 'audiences',
    key: 'audience',
    plural: 'audiences',
    maximum: DEFINITION_LIMITS.audiences,
    ...computedMethods(AUDIENCES, env),
    show: (audience: Audience) => shown(audience, env),
    more: (names): Promise<ReadonlyMap<string, Partial<Wire>>> => computedFields(names, env),
  });
  return {
    listAudiences: list,
    createAudience: create,
    getAudience: get,
    updateAudience: update,
    deleteAudience: remove,
  } satisfies Partial<ConfigHandlers>;
}

function shown(audience: Audience, env: Env): Wire {
  return { ...shownComputed(audience, env), definition: audience.definition };
}
