import { isDeepStrictEqual } from 'node:util';
import { bootstrap } from '../../resources/bootstrap.ts';
import type { ConfigStore } from '../../storage/config-store.ts';
import { openConfigStore } from '../../storage/file/resources/config-store.ts';
import { NOW, TOKEN } from '../support/config-api.ts';
import { memoryDisk } from '../support/config-disk.ts';
import { RecordingLog } from '../support/ingestion-log.ts';
import type { Move } from './history-arbitrary.ts';
import type { Expected, Refused } from './model/config-expected.ts';
import { type Fields, isGenerated, kindOf, lastOf, rulesOf } from './model/config-kinds.ts';
import { type Caller, ConfigModel } from './model/config-model.ts';
import { sentSettings } from './model/config-settings.ts';
import type { Request, World, WorldAnswer } from './world.ts';
import { stillClock } from '../support/still-clock.ts';

const ABSENT: Readonly<Record<string, string>> = { 'access-tokens': '1', 'tracking-plans': `rs_${'0'.repeat(27)}` };

/** A store in the place of the good one, to see that a fault of it is found. */
export type Spoil = (store: ConfigStore) => ConfigStore;

/** Plays moves against a fresh store behind the world's router, and against the model; throws where they disagree. */
export async function play(
  world: World,
  moves: readonly (Move | undefined)[],
  spoil: Spoil = (store) => store,
): Promise<void> {
  const [disk, log] = [memoryDisk(), new RecordingLog()];
  const open = async (): Promise<void> => {
    await world.gate.current.close();
    world.gate.current = spoil(await openConfigStore({ folder: '/config', disk, log }));
  };
  await open();
  const clock = stillClock(() => NOW);
  await bootstrap({ store: world.gate.current, clock, token: TOKEN, workspace: 'main' });
  const model = await modelOfFresh(world);
  for (const [index, move] of moves.entries()) {
    if (move?.act === 'restart') await open();
    else if (move !== undefined) await take(world, model, move, `move ${index} ${JSON.stringify(move)}`);
  }
}

/** Knows what a first start makes: the workspace `main`, and a token for everything. */
async function modelOfFresh(world: World): Promise<ConfigModel> {
  const model = new ConfigModel();
  const { body } = await world.send({ method: 'GET', path: '/v1beta/access-tokens' });
  const [first] = Object(body['access_tokens']);
  const { name, description, scopes, workspace_names } = first;
  model.start({ name: String(name), plaintext: TOKEN }, { description, scopes, workspace_names });
  return model;
}

type Taken = Exclude<Move, { act: 'restart' }>;

async function take(world: World, model: ConfigModel, move: Taken, where: string): Promise<void> {
  const caller = model.callers[move.caller % model.callers.length];
  if (caller === undefined) throw new Error('the model knows no token');
  const known = 'name' in move ? { ...move, name: realName(model, move.name) } : move;
  const expected = predict(model, caller, known);
  const answer = await world.send({ ...requestOf(known), token: caller.plaintext });
  if (answer.status !== expected.status) {
    throw new Error(
      `${where}: the rules say ${expected.status}, and the router ${answer.status}: ${JSON.stringify(answer.body)}`,
    );
  }
  if (expected.status !== 200) return compareError(answer, expected, where);
  if (expected.fields !== undefined) compareFields(answer, expected.fields, where);
  if (expected.names !== undefined) await compareNames(world, known, caller, expected.names, where);
  expected.commit?.(String(answer.body['name']), String(answer.body['token']));
}

/** The words of a 400 are the router's own; a plan that was refused has an id that nobody else knows. */
function compareError({ body }: WorldAnswer, { status, error }: Refused, where: string): void {
  const said = String(body['error']).replace(/rs_\w{27} does/, '# does');
  const expected = error.replace(/rs_\w{27} does/, '# does');
  if (status === 400 || said === expected) return;
  throw new Error(`${where}: the rules say ${JSON.stringify(expected)}, and the router ${JSON.stringify(said)}`);
}

function predict(model: ConfigModel, caller: Caller, move: Taken): Expected {
  switch (move.act) {
    case 'create':
      return model.create(caller, move.kind, move.parent, move.slug, bySetting(move.fields));
    case 'update':
      return model.update(caller, move.name, bySetting(move.fields), move.paths);
    case 'remove':
      return model.remove(caller, move.name, move.force);
    case 'get':
      return model.get(caller, move.name);
    case 'list':
      return model.list(caller, move.parent, move.kind);
  }
}

function requestOf(move: Taken): Request {
  switch (move.act) {
    case 'create': {
      const path = `${move.parent === '' ? '' : `${move.parent}/`}${move.kind}`;
      const name = isGenerated(move.kind) ? {} : { name: `${path}/${move.slug}` };
      return {
        method: 'POST',
        path: `/v1beta/${path}`,
        body: bodyOf(rulesOf(move.kind).key, { ...onTheWire(move.fields), ...name }),
      };
    }
    case 'update': {
      const { key } = rulesOf(kindOf(move.name));
      const mask = { update_mask: { paths: move.paths.map((path) => `${key}.${path}`) } };
      const method = move.byPut && kindOf(move.name) === 'tracking-plans' ? 'PUT' : 'PATCH';
      return { method, path: `/v1beta/${move.name}`, body: bodyOf(key, onTheWire(move.fields), mask) };
    }
    case 'remove':
      return {
        method: 'DELETE',
        path: `/v1beta/${move.name}${move.force && kindOf(move.name) === 'workspaces' ? '?force=true' : ''}`,
      };
    case 'get':
      return { method: 'GET', path: `/v1beta/${move.name}` };
    case 'list':
      return {
        method: 'GET',
        path: `/v1beta/${move.parent === '' ? '' : `${move.parent}/`}${move.kind}?page_size=${move.size}`,
      };
  }
}

function bodyOf(key: string, fields: Fields, beside: Fields = {}): string {
  return JSON.stringify({ [key]: fields, ...beside });
}

function onTheWire({ config, ...fields }: Fields): Fields {
  return config === undefined ? fields : { ...fields, config: entriesIn(config) };
}

/** As the model keeps them. */
function bySetting({ config, ...fields }: Fields): Fields {
  return config === undefined ? fields : { ...fields, config: sentSettings(entriesIn(config)) };
}

function entriesIn(config: unknown): { name: string; value: unknown }[] {
  return Object.entries(Object(config)).map(([name, value]) => ({ name, value }));
}

function compareFields({ body }: WorldAnswer, expected: Fields, where: string): void {
  for (const [field, value] of Object.entries(expected)) {
    const seen = readField(body, field);
    const wanted = field === 'rules' ? { events: [], ...Object(value) } : value;
    if (isDeepStrictEqual(seen, wanted)) continue;
    throw new Error(
      `${where}: the rules say ${field} ${JSON.stringify(wanted)}, and the router ${JSON.stringify(seen)}`,
    );
  }
}

function readField(body: Fields, field: string): unknown {
  const value = body[field];
  if (field !== 'config' || !Array.isArray(value)) return value;
  return Object.fromEntries(value.map(({ name, ...setting }: { name: string }) => [lastOf(name), setting]));
}

/** CFG-5, CFG-6: over all pages together, each once and in order. */
async function compareNames(
  world: World,
  move: Taken,
  caller: Caller,
  expected: readonly string[],
  where: string,
): Promise<void> {
  if (move.act !== 'list') return;
  const seen: string[] = [];
  let next = '';
  do {
    const { path, method } = requestOf(move);
    const { body } = await world.send({ method, path: `${path}&page_token=${next}`, token: caller.plaintext });
    const items: readonly { readonly name: string }[] = Object(body[rulesOf(move.kind).plural]);
    seen.push(...items.map(({ name }) => name));
    next = String(body['next_page_token']);
    if (items.length > move.size) throw new Error(`${where}: a page of ${items.length} was answered`);
  } while (next !== '' && seen.length <= expected.length);
  if (!isDeepStrictEqual(seen, expected))
    throw new Error(`${where}: the rules list ${expected.join(' ')}, and the router ${seen.join(' ')}`);
}

function realName(model: ConfigModel, name: string): string {
  const [, collection = '', number] = /^(.*)\/#(\d+)$/.exec(name) ?? [];
  if (number === undefined) return name;
  const made = model.generated.filter((one) => one.startsWith(`${collection}/`));
  return made[Number(number) % made.length] ?? `${collection}/${ABSENT[lastOf(collection)]}`;
}
