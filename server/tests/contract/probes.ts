import { StoreUnavailable } from '../../storage/config-store.ts';
import type { Contract, ContractOperation } from './contract-document.ts';
import { EXTRA_PROBES } from './extra-probes.ts';
import { exampleOf, Givens } from './givens.ts';
import { type Request, startWorld, type World, type WorldAnswer } from './world.ts';

/** What one operation answered to everything that it was sent. */
export interface Proof {
  readonly operation: string;
  readonly documented: readonly number[];
  readonly proven: ReadonlySet<number>;
  /** Answers that are not as the document says, with those of a status that it does not have. */
  readonly faults: readonly string[];
}

const SLUG = 'absent';

/**
 * Sends an operation what leads to each of its answers, in a world of its own: bad tokens, bad paths, bad queries, bad
 * bodies, a store that fails, what EXTRA_PROBES adds, and at last the example of the document, a create twice.
 */
export async function prove(contract: Contract, operation: ContractOperation): Promise<Proof> {
  const world = await startWorld({ keepsLog: keepsLog(operation) });
  const proven = new Set<number>();
  const faults: string[] = [];
  const note = (answer: WorldAnswer): void => {
    const fault = contract.faultOf(operation, answer);
    if (fault === undefined) proven.add(answer.status);
    else faults.push(fault);
  };
  try {
    await probe(contract, operation, world, note, async (example) => {
      for (const answer of await failures(world, example)) note(answer);
      if (keepsLog(operation)) note(await withoutLog(contract, example));
    });
  } catch (error) {
    faults.push(error instanceof Error ? error.message : String(error));
  }
  return { operation: operation.id, documented: operation.statuses, proven, faults };
}

/** Sends what leads to the answers of an operation in every world that behaves as the router's; before the example, `meanwhile`. */
export async function probe(
  contract: Contract,
  operation: ContractOperation,
  world: World,
  note: (answer: WorldAnswer) => void,
  meanwhile: (example: Request) => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const givens = new Givens(contract, world);
  const example = exampleOf(operation, await givens.prepare(operation));
  for (const request of await refusals(world, operation, example)) note(await world.send(request));
  for (const more of EXTRA_PROBES[operation.id] ?? []) note(await more({ world, example, givens, contract }));
  await meanwhile(example);
  note(await world.send(example));
  if (operation.method === 'post') note(await world.send(example));
}

/** Requests that follow from the document, and that are all refused, or harmless. */
async function refusals(world: World, operation: ContractOperation, example: Request): Promise<Request[]> {
  const path = example.path;
  return [
    { ...example, token: null },
    { ...example, token: 'no-such-token' },
    ...(operation.scopes.includes('write') ? [{ ...example, token: await readerToken(world) }] : []),
    ...badBodies(operation).map((body) => ({ ...example, body })),
    ...badQueries(operation).map((query) => ({ ...example, path: `${path}?${query}` })),
    ...absences(operation, example),
    ...preconditions(operation).map((headers) => ({ ...example, headers })),
  ];
}

function badBodies({ bodySchema }: ContractOperation): string[] {
  return bodySchema === undefined ? [] : ['{"a":', '[]', 'null', '"text"'];
}

function badQueries({ parameters }: ContractOperation): string[] {
  const WRONG: Readonly<Record<string, string>> = { integer: '-1', boolean: 'perhaps', string: 'damaged' };
  return parameters
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, schema }) => `${name}=${WRONG[String(schema['type'])] ?? 'wrong'}`);
}

/** The example with each of its path's parameters in turn naming nothing, in the names of its body too. */
function absences({ template, parameters }: ContractOperation, example: Request): Request[] {
  const segments = example.path.split('/');
  return template.split('/').flatMap((segment, index) => {
    const [, name] = /^\{(\w+)\}$/.exec(segment) ?? [];
    const parameter = parameters.find((one) => one.in === 'path' && one.name === name);
    if (parameter === undefined) return [];
    const absent = segments.with(index, absentValue(parameter));
    const [before, after] = [segments, absent].map((parts) => parts.slice(2, index + 1).join('/'));
    return [{ ...example, path: absent.join('/'), body: example.body?.replaceAll(`${before}/`, `${after}/`) }];
  });
}

/** A state that the resource is not in. */
function preconditions({ parameters }: ContractOperation): Record<string, string>[] {
  return parameters.some(({ name }) => name === 'If-Match') ? [{ 'If-Match': '"stale"' }] : [];
}

/** What a router without a log of deliveries answers 501 to, by the document. */
export function keepsLog({ statuses }: ContractOperation): boolean {
  return statuses.includes(501);
}

/** 501: the same in a world that keeps no log. The destination is there, as no delivery can be. */
async function withoutLog(contract: Contract, example: Request): Promise<WorldAnswer> {
  const world = await startWorld();
  const destination = contract.operations.find(({ id }) => id === 'getDestination');
  if (destination !== undefined) await new Givens(contract, world).prepare(destination);
  return world.send(example);
}

/** Of the right form, so that it is looked up: for generated ids the example, which no world ever generates. */
function absentValue(parameter: { readonly schema: object }): string {
  const pattern: unknown = Reflect.get(parameter.schema, 'pattern');
  const example: unknown = Reflect.get(parameter, 'example');
  const fits = typeof pattern !== 'string' || new RegExp(pattern).test(SLUG);
  return fits || typeof example !== 'string' ? SLUG : example;
}

/** The example past the rate limit, before a store that breaks in its own code, and before one that cannot write: 429, 500, 503. */
async function failures(world: World, example: Request): Promise<WorldAnswer[]> {
  world.gate.isRateOver = true;
  const answers = [await world.send(example)];
  world.gate.isRateOver = false;
  for (const failure of [new Error('a bug'), new StoreUnavailable('ENOSPC')]) {
    for (const sparesTokens of [true, false]) {
      Object.assign(world.gate, { failure, sparesTokens });
      const answer = await world.send(example);
      // An operation that asks no store for anything succeeds here; its success is proven below, in its own state.
      if (answer.status >= 500) answers.push(answer);
    }
  }
  world.gate.failure = undefined;
  return answers;
}

async function readerToken(world: World): Promise<string> {
  const access_token = { description: 'a reader', scopes: 'workspace:read' };
  const request = { method: 'POST', path: '/v1beta/access-tokens', body: JSON.stringify({ access_token }) };
  return String((await world.send(request)).body['token']);
}
