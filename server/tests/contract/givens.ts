import { randomUUID } from 'node:crypto';
import type { Contract, ContractOperation } from './contract-document.ts';
import type { World } from './world.ts';

type Maker = (world: World) => Promise<string>;

const DESTINATION = '/v1beta/workspaces/{workspace}/sources/{source}/destinations/{destination}';
const COMPUTATIONS = { audience: 'audiences', computed_trait: 'computed-traits' } as const;
const PLAN = '/v1beta/workspaces/{workspace}/tracking-plans/{tracking_plan}';

/**
 * How a path parameter comes to name something that exists, where the general way does not do: that sends the example
 * of the collection's POST and takes the last segment of the `name` that it answers, or the first item of its List.
 */
const MAKERS: Readonly<Record<string, Maker>> = {
  '/v1beta/workspaces/{workspace}': async (world) => {
    const body = JSON.stringify({ workspace: { name: 'workspaces/main' } });
    // It is there from the start, and gone when a test has deleted it.
    await world.send({ method: 'POST', path: '/v1beta/workspaces', body });
    return 'main';
  },
  [`${DESTINATION}/deliveries/{delivery}`]: async ({ deliveries }) => {
    if (deliveries === undefined) throw new Error('a world without a log of deliveries has no delivery');
    return deliveries.addFailed('workspaces/main/sources/js/destinations/webhooks');
  },
  ...computationMakers(),
  '/v1beta/workspaces/{workspace}/profiles/{user}': async (world) => {
    await newComputation(world, 'audience');
    return 'user-1';
  },
  '/v1beta/catalog/sources/{slug}': async () => 'javascript',
  '/v1beta/catalog/destinations/{slug}': async () => 'webhooks',
  [`${DESTINATION}/metrics/{metric}`]: async () => 'successes',
  [`${DESTINATION}/config/{config}`]: async (world) => (await firstFilter(world)).split('/').at(-3) ?? '',
  [`${DESTINATION}/config/{config}/filters/{filter}`]: async (world) =>
    (await firstFilter(world)).split('/').at(-1) ?? '',
  [`${PLAN}/source-connections/workspaces/{source_workspace}`]: async () => 'main',
  [`${PLAN}/source-connections/workspaces/{source_workspace}/sources/{source}`]: async () => 'js',
};

/** The long name of a filter of the webhooks destination; one is made when there is none. */
async function firstFilter(world: World): Promise<string> {
  const path = '/v1beta/workspaces/main/sources/js/destinations/webhooks/filters';
  const { body } = await world.send({ method: 'GET', path });
  const [first] = Object(body['filters']);
  const made = first ?? (await world.send({ method: 'POST', path, body: '{"filter":{"if":"all"}}' })).body;
  return String(Object(made).name);
}

/** Each with a name of its own: keys are not given twice. */
async function newComputation(world: World, key: keyof typeof COMPUTATIONS): Promise<string> {
  const definition = key === 'audience' ? { trait: 'plan', is: { eq: 'pro' } } : { counter: { where: 'all' } };
  const body = JSON.stringify({ [key]: { display_name: `Made ${randomUUID()}`, definition } });
  const path = `/v1beta/workspaces/main/${COMPUTATIONS[key]}`;
  const made = await world.send({ method: 'POST', path, body });
  return String(made.body['name']);
}

function computationMakers(): Record<string, Maker> {
  return Object.fromEntries(
    (['audience', 'computed_trait'] as const).flatMap((key): [string, Maker][] => {
      const item = `/v1beta/workspaces/{workspace}/${COMPUTATIONS[key]}/{${key}}`;
      const id = async (world: World): Promise<string> => lastOf(await newComputation(world, key));
      return [
        [item, id],
        [`${item}/members/{user}`, () => Promise.resolve('user-1')],
        [`${item}/syncs/{sync}`, async (world) => newSync(world, key)],
      ];
    }),
  );
}

/** Of the audience or computed trait that the path names: the only one of its world. */
async function newSync(world: World, key: keyof typeof COMPUTATIONS): Promise<string> {
  const path = `/v1beta/workspaces/main/${COMPUTATIONS[key]}`;
  const { body } = await world.send({ method: 'GET', path });
  const [first] = Object(body[COMPUTATIONS[key].replace('-', '_')]);
  const made = await world.send({ method: 'POST', path: `/v1beta/${String(Object(first).name)}:sync` });
  return lastOf(String(made.body['name']));
}

function lastOf(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1);
}

/** Operations whose examples have to be sent before the example of another can succeed, beside what its path names. */
const NEEDS: Readonly<Record<string, readonly string[]>> = {
  batchGetDeliveryMetricsSummaries: ['createDestination'],
  createSourceConnection: ['createSource'],
  updateAudience: ['createDestination'],
  updateComputedTrait: ['createDestination'],
  batchCreateSourceConnections: ['createSource'],
  deleteSourceConnectionByName: ['createSourceConnection'],
};

/** The field of a create's answer that names what was made, where it is not `name`. */
const NAMES: Readonly<Record<string, string>> = { createSourceConnection: 'source_name' };

const HERE = 'server/tests/contract/givens.ts';

/** Makes what the path of an operation names, each thing once a world, and fills the path. */
export class Givens {
  readonly #contract: Contract;
  readonly #world: World;
  /** The values of path parameters, by the template that ends with the parameter. */
  readonly #made = new Map<string, string>();
  readonly #sent = new Set<string>();

  constructor(contract: Contract, world: World) {
    this.#contract = contract;
    this.#world = world;
  }

  /** The values of the operation's path parameters, all of them naming something that exists. */
  async prepare(operation: ContractOperation): Promise<ReadonlyMap<string, string>> {
    const values = new Map<string, string>();
    for (const [prefix, name] of parametersOf(operation.template)) values.set(name, await this.#value(prefix));
    for (const id of NEEDS[operation.id] ?? []) await this.#sendOnce(id);
    return values;
  }

  /** What was made may be gone: it is made again when it is needed next. */
  forget(): void {
    this.#made.clear();
    this.#sent.clear();
  }

  async #value(prefix: string): Promise<string> {
    const known = this.#made.get(prefix);
    if (known !== undefined) return known;
    const made = await this.#make(prefix);
    this.#made.set(prefix, made);
    return made;
  }

  async #make(prefix: string): Promise<string> {
    const maker = MAKERS[prefix];
    if (maker !== undefined) return maker(this.#world);
    const collection = prefix.slice(0, prefix.lastIndexOf('/'));
    const create = this.#find(collection, 'post');
    if (create !== undefined) return lastSegment(await this.#create(create), NAMES[create.id] ?? 'name', create.id);
    const list = this.#find(collection, 'get');
    if (list === undefined) throw new Error(`nothing makes what ${prefix} names: add how to MAKERS in ${HERE}`);
    return lastSegment(firstItem(await this.#answerOf(list), list.id), 'name', list.id);
  }

  /** The answer of the create, or the name in its body when that is there already. */
  async #create(create: ContractOperation): Promise<Readonly<Record<string, unknown>>> {
    const answer = await this.#answerOf(create);
    if (answer['error'] === undefined) return answer;
    const error = JSON.stringify(answer['error']);
    const resource = Object.values(Object(create.bodyExample)).find((value) => typeof value === 'object');
    const name: unknown = Reflect.get(Object(resource), 'name');
    if (typeof name === 'string' && error.includes('already exists')) return { name };
    throw new Error(
      `the example of ${create.id} is refused: ${error}. Mend it, or say in NEEDS of ${HERE} what it needs`,
    );
  }

  async #answerOf(operation: ContractOperation): Promise<Readonly<Record<string, unknown>>> {
    const { body } = await this.#world.send(exampleOf(operation, await this.prepare(operation)));
    return body;
  }

  async #sendOnce(id: string): Promise<void> {
    if (this.#sent.has(id)) return;
    const operation = this.#contract.operations.find((one) => one.id === id);
    if (operation === undefined) throw new Error(`NEEDS in ${HERE} names ${id}, which is no operation`);
    await this.#create(operation);
    this.#sent.add(id);
  }

  #find(template: string, method: string): ContractOperation | undefined {
    return this.#contract.operations.find((one) => one.template === template && one.method === method);
  }
}

/** The request that the document shows for an operation, with path parameters that name what exists. */
export function exampleOf(
  operation: ContractOperation,
  values: ReadonlyMap<string, string>,
): { method: string; path: string; body: string | undefined } {
  const { id, method, template, bodySchema, bodyExample } = operation;
  if (bodySchema !== undefined && bodyExample === undefined) {
    throw new Error(`${id} has no example of its body: add one beside its schema in openapi/config-api/`);
  }
  const path = template.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => values.get(name) ?? name);
  return { method, path, body: bodyExample === undefined ? undefined : JSON.stringify(bodyExample) };
}

/** Each path parameter with the template up to its end. */
export function parametersOf(template: string): [prefix: string, name: string][] {
  return [...template.matchAll(/\{(\w+)\}/g)].map((match) => [
    template.slice(0, match.index + match[0].length),
    match[1] ?? '',
  ]);
}

function firstItem(answer: Readonly<Record<string, unknown>>, id: string): Readonly<Record<string, unknown>> {
  const items = Object.values(answer).find(Array.isArray);
  const first: unknown = items?.[0];
  if (typeof first !== 'object' || first === null) throw new Error(`${id} lists nothing: add to MAKERS in ${HERE}`);
  return { ...first };
}

function lastSegment(resource: Readonly<Record<string, unknown>>, field: string, id: string): string {
  const name = resource[field];
  if (typeof name !== 'string') throw new Error(`${id} answers no ${field}: say in NAMES of ${HERE} what names it`);
  return name.slice(name.lastIndexOf('/') + 1);
}
