import fc from 'fast-check';
import { generateKeyPairSync } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Schema } from '../../http/document.ts';
import type { Contract, ContractOperation } from './contract-document.ts';
import { valuesOf } from '../../../testbed/contract/schema-arbitrary.ts';

/** One field that an update can change, with what the three cases of the mask need. */
export interface MaskRow {
  readonly operation: ContractOperation;
  /** The resource's key in the body. */
  readonly key: string;
  /** Below the key: `library_config.retry_queue`. */
  readonly path: string;
  /** Two values that the field can take, neither of them its empty value. */
  readonly first: unknown;
  readonly second: unknown;
  /** What it takes when it is listed without a value (CFG-8); REFUSED where it has no empty value. */
  readonly empty: unknown;
}

/** Of a field without an empty value: without a value it is a 400. */
export const REFUSED = Symbol('refused');

const CONDITIONS = ['all', 'event = "Test"'] as const;
const ACTIONS = [[{ type: 'drop_event' }], [{ type: 'sample_event', percent: 0.5 }]] as const;

const DEFINITIONS = [{ trait: 'plan', is: { eq: 'pro' } }, { events: { where: 'all' } }] as const;
const TRAITS = [{ counter: { where: 'all' } }, { last: { where: 'all', of: 'properties.total' } }] as const;
const DESTINATIONS = ['workspaces/main/sources/js/destinations/webhooks'];

/** These are replaced as a whole: no path leads into them. */
const WHOLE = new Set(['definition']);

/** Where a value has to mean something, and what its schema allows is not enough. */
const VALUES: Readonly<Record<string, readonly [first: unknown, second: unknown]>> = {
  'updateFilter if': CONDITIONS,
  'updateFilter actions': ACTIONS,
  'updateFilterByName if': CONDITIONS,
  'updateFilterByName actions': ACTIONS,
  'updateDestination config': [[{ name: 'a', value: 1 }], [{ name: 'a', value: 'two' }]],
  'updateAudience definition': DEFINITIONS,
  'updateAudience destinations': [DESTINATIONS, DESTINATIONS],
  'updateComputedTrait definition': TRAITS,
  'updateComputedTrait destinations': [DESTINATIONS, DESTINATIONS],
  'updateSource write_keys': [['first-key'], ['second-key', 'id:secret']],
  'updateSource oauth_keys': [[oauthKey('first')], [oauthKey('second')]],
};

/** Empty values that do not follow from the type of the field. */
const EMPTIES: Readonly<Record<string, unknown>> = {
  'updateDestination connection_mode': 'UNSPECIFIED',
  'updateSource library_config': {
    metrics_enabled: false,
    retry_queue: false,
    cross_domain_id_enabled: false,
    api_host: '',
  },
  'updateSource write_keys': REFUSED,
  'updateAudience definition': REFUSED,
  'updateComputedTrait definition': REFUSED,
  'updateTrackingPlan rules': { events: [] },
  'updateSchemaConfig common_track_event_on_violations': 'ALLOW',
  'updateSchemaConfig common_identify_event_on_violations': 'ALLOW',
  'updateSchemaConfig common_group_event_on_violations': 'ALLOW',
};

const HERE = 'server/tests/contract/mask-rows.ts';

/** Every mutable field of every resource, as the bodies of the PATCH operations have them: a new field joins by itself. */
export function maskRows(contract: Contract): MaskRow[] {
  return contract.operations
    .filter(({ method }) => method === 'patch')
    .flatMap((operation) => {
      const body = propertiesOf(contract, operation.bodySchema ?? {});
      if (!('update_mask' in body)) return [];
      return resourcesOf(contract, body).flatMap(([key, fields]) =>
        rowsOf(contract, { operation, key, fields, prefix: '' }),
      );
    });
}

function oauthKey(key_id: string): object {
  const encoding = { type: 'spki', format: 'pem' } as const;
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1', publicKeyEncoding: encoding });
  return { key_id, public_key: publicKey };
}

function resourcesOf(
  contract: Contract,
  body: Readonly<Record<string, Schema>>,
): [string, Readonly<Record<string, Schema>>][] {
  return Object.entries(body)
    .filter(([key]) => key !== 'update_mask')
    .map(([key, schema]) => [key, propertiesOf(contract, schema)]);
}

interface Place {
  readonly operation: ContractOperation;
  readonly key: string;
  readonly fields: Readonly<Record<string, Schema>>;
  /** With the dot at its end. */
  readonly prefix: string;
}

function rowsOf(contract: Contract, { operation, key, fields, prefix }: Place): MaskRow[] {
  return Object.entries(fields)
    .filter(([field]) => field !== 'update_mask')
    .flatMap(([field, schema]) => {
      const path = prefix + field;
      const inner = prefix === '' && !WHOLE.has(field) ? propertiesOf(contract, schema) : {};
      const [first, second] = valuesFor(contract, schema, `${operation.id} ${path}`);
      const empty = emptyOf(contract.resolve(schema), `${operation.id} ${path}`);
      const row = { operation, key, path, first, second, empty };
      return [row, ...rowsOf(contract, { operation, key, fields: inner, prefix: `${path}.` })];
    });
}

function valuesFor(contract: Contract, schema: Schema, place: string): readonly [unknown, unknown] {
  const chosen = VALUES[place];
  if (chosen !== undefined) return chosen;
  const empty = emptyOf(contract.resolve(schema), place);
  const hints = { resolve: contract.resolve, texts: ['first', 'second'] };
  const plain = fc
    .sample(valuesOf(schema, hints), { seed: 1, numRuns: 100 })
    .filter((value) => !isDeepStrictEqual(value, empty));
  const first = plain.find((value) => Object(value) !== value || Object.keys(Object(value)).length > 0);
  // A switch has one value that is not its empty one.
  const second = plain.find((value) => !isDeepStrictEqual(value, first)) ?? first;
  if (first === undefined) throw new Error(`no value was found for ${place}: add two to VALUES in ${HERE}`);
  return [first, second];
}

function emptyOf({ type, enum: choices }: Schema, place: string): unknown {
  if (place in EMPTIES) return EMPTIES[place];
  const empties: Readonly<Record<string, unknown>> = {
    string: '',
    boolean: false,
    integer: 0,
    number: 0,
    array: [],
    object: {},
  };
  if (choices === undefined && typeof type === 'string' && type in empties) return empties[type];
  throw new Error(`the empty value of ${place} does not follow from its type: add it to EMPTIES in ${HERE}`);
}

function propertiesOf(contract: Contract, schema: Schema): Readonly<Record<string, Schema>> {
  return Object(contract.resolve(schema)['properties'] ?? {});
}
