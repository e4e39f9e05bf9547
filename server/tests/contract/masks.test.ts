import { expect, test } from 'vitest';
import { loadContract } from './contract-document.ts';
import { Givens } from './givens.ts';
import { type MaskRow, maskRows, REFUSED } from './mask-rows.ts';
import { lastOf } from './model/config-kinds.ts';
import { keepsLog } from './probes.ts';
import { startWorld, type World } from './world.ts';

const contract = loadContract();
const ROWS = maskRows(contract).map((row) => ({ ...row, title: `${row.operation.id} ${row.path}` }));

/** These say when something changed, and so change with every field. */
const MOVING = ['state', 'update_time', 'etag'];

test.each(ROWS)('CFG-7, CFG-10: $title is set when it is listed, and nothing else', async (row) => {
  const { before, update } = await prepared(row);
  const answer = await update(row.second, true);
  expect(shownAs(fieldOf(answer, row.path), row.second)).toEqual(row.second);
  expect(without(answer, row.path)).toEqual(without(before, row.path));
});

test.each(ROWS.filter(({ empty }) => empty !== REFUSED))(
  'CFG-8: $title is emptied when it is listed without a value, and nothing else',
  async (row) => {
    const { before, update } = await prepared(row);
    const answer = await update(undefined, true);
    expect(fieldOf(answer, row.path)).toEqual(row.empty);
    expect(without(answer, row.path)).toEqual(without(before, row.path));
  },
);

test.each(ROWS.filter(({ empty }) => empty === REFUSED))('CFG-14: $title is refused without a value', async (row) => {
  const { before, world, path } = await prepared(row);
  const body = JSON.stringify({ [row.key]: {}, update_mask: { paths: [`${row.key}.${row.path}`] } });
  expect(await world.send({ method: 'PATCH', path, body })).toMatchObject({ status: 400, body: { code: 3 } });
  expect((await world.send({ method: 'GET', path })).body).toEqual(before);
});

test.each(ROWS)('CFG-9: $title stays when it is sent and not listed', async (row) => {
  const { before, update } = await prepared(row);
  expect(await update(row.second, false)).toEqual(before);
});

type Body = Readonly<Record<string, unknown>>;

interface Prepared {
  readonly world: World;
  readonly path: string;
  /** The resource with the row's first value. */
  readonly before: Body;
  /** Answers the resource after an update that must succeed. */
  readonly update: (value: unknown, listed: boolean) => Promise<Body>;
}

async function prepared(row: MaskRow): Promise<Prepared> {
  const world = await startWorld({ keepsLog: keepsLog(row.operation) });
  const path = await targetOf(world, row);
  const update = async (value: unknown, listed: boolean): Promise<Body> => {
    const [outer = '', inner] = row.path.split('.');
    const sent = value === undefined ? {} : { [outer]: inner === undefined ? value : { [inner]: value } };
    const body = JSON.stringify({ [row.key]: sent, update_mask: { paths: listed ? [`${row.key}.${row.path}`] : [] } });
    const answer = await world.send({ method: 'PATCH', path, body });
    const wayOut = 'a value that means something belongs into VALUES of server/tests/contract/mask-rows.ts';
    expect(answer.status, `${JSON.stringify(answer.body)}; ${wayOut}`).toBe(200);
    return answer.body;
  };
  return { world, path, before: await update(row.first, true), update };
}

/** What the path of the operation names; a destination of which nothing is demanded, in the place of a webhooks one. */
async function targetOf(world: World, { operation }: MaskRow): Promise<string> {
  const values = new Map(await new Givens(contract, world).prepare(operation));
  const path = (): string =>
    operation.template.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => values.get(name) ?? '');
  if (operation.id !== 'updateDestination') return path();
  values.set('destination', 'my-own');
  const body = JSON.stringify({ destination: { name: path().replace('/v1beta/', '') } });
  await world.send({ method: 'POST', path: path().replace('/my-own', ''), body });
  return path();
}

function fieldOf(body: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((value, step) => Reflect.get(Object(value), step), body);
}

function without(body: Body, path: string): Body {
  const [outer = '', inner] = path.split('.');
  const rest = Object.fromEntries(Object.entries(body).filter(([field]) => field !== outer && !MOVING.includes(field)));
  if (inner === undefined) return rest;
  const { [inner]: _changed, ...siblings } = Object(body[outer]);
  return { ...rest, [outer]: siblings };
}

/** Of an answer, what was sent: it may hold other settings too, full names, and defaults of nested fields. */
function shownAs(answered: unknown, sent: unknown): unknown {
  if (Array.isArray(sent)) return sent.map((entry, index) => shownAs(entryOf(answered, entry, index), entry));
  if (typeof sent !== 'object' || sent === null) return answered;
  const shown = Object.keys(sent).map((field) => [field, Reflect.get(Object(answered), field)]);
  return Object.fromEntries(shown.map(([field, value]) => [field, field === 'name' ? lastOf(String(value)) : value]));
}

function entryOf(answered: unknown, sent: unknown, index: number): unknown {
  const [list, name]: [unknown[], unknown] = [Object(answered), Reflect.get(Object(sent), 'name')];
  return name === undefined ? list[index] : list.find((entry) => lastOf(String(Object(entry).name)) === name);
}
