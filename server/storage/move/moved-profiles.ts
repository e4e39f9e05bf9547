import { alike, type MovedTable } from './moved-table.ts';

const NAMED = { id: 'number', space: 'number', name: 'text' } as const;
const TILE = { measure: 'number', day: 'number', holder: 'number', hour: 'number' } as const;
const TILE_KEY = Object.keys(TILE);

/** What is known of users, what was counted of them, and what runs found: alike in both engines. Numbers stay, as rows refer to them. */
export const MOVED_PROFILES: readonly MovedTable[] = [
  alike('spaces', ['id'], { id: 'number', name: 'text' }),
  alike('measures', ['id'], NAMED),
  alike('users', ['id'], { id: 'number', space: 'number', value: 'text' }),
  alike('moved', ['id'], { id: 'number', profile: 'number' }),
  alike('merges', ['profile'], { profile: 'number', at: 'number', message: 'text' }),
  alike('anonymous', ['id'], { id: 'number', space: 'number', value: 'text' }),
  alike('links', ['anonymous', 'hour', 'owner'], {
    anonymous: 'number',
    hour: 'number',
    owner: 'number',
    at: 'number',
  }),
  alike('trait_names', ['id'], NAMED),
  alike('traits', ['name', 'holder', 'hour'], {
    name: 'number',
    holder: 'number',
    hour: 'number',
    at: 'number',
    value: 'text',
  }),
  alike('amounts', TILE_KEY, {
    ...TILE,
    events: 'number',
    numbers: 'number',
    total: 'real',
    lowest: 'real',
    highest: 'real',
  }),
  alike('counted_values', [...TILE_KEY, 'value'], { ...TILE, value: 'text', events: 'number' }),
  alike('ends', TILE_KEY, {
    ...TILE,
    first_at: 'number',
    first_message: 'text',
    first_json: 'text',
    last_at: 'number',
    last_message: 'text',
    last_json: 'text',
  }),
  alike('computations', ['id'], NAMED),
  alike('runs', ['computation', 'run'], {
    computation: 'number',
    run: 'number',
    evaluated: 'number',
    size: 'number',
    entered: 'number',
    gone: 'number',
  }),
  alike('results', ['computation', 'user_id', 'since'], {
    computation: 'number',
    user_id: 'text',
    since: 'number',
    until: 'number',
    value: 'text',
  }),
];
