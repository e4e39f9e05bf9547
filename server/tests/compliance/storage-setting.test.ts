import { expect, test } from 'vitest';
import { InvalidSetting } from '../../settings/invalid-setting.ts';
import { readSettings } from '../../settings/settings.ts';

test.each([
  [[], {}, 'file:./data'],
  [['--data-dir=/srv/a'], {}, 'file:/srv/a'],
  [[], { WAYBILL_DATA_DIR: 'b' }, 'file:b'],
  [['--storage=file:c'], {}, 'file:c'],
  [[], { WAYBILL_STORAGE: 'postgres://a:b@c/d' }, 'postgres://a:b@c/d'],
  [['--storage=postgresql://a@c/d'], { WAYBILL_STORAGE: 'postgres://a:b@c/d' }, 'postgresql://a@c/d'],
  [['--data-dir=./e/'], { WAYBILL_STORAGE: 'file:e' }, 'file:./e/'],
])('the storage of %j and %j is chosen', (flags, env, storage) => {
  expect(readSettings(flags, env).storage).toBe(storage);
});

test.each([
  [['--storage=file:a', '--data-dir=b'], {}],
  [['--storage=postgres://a@b/c'], { WAYBILL_DATA_DIR: './data' }],
  [['--data-dir=b'], { WAYBILL_STORAGE: 'postgres://a:hidden@b/c' }],
])('two places, %j and %j, are refused', (flags, env) => {
  const words = '--storage (WAYBILL_STORAGE) and --data-dir (WAYBILL_DATA_DIR) name different places: give one of them';
  expect(() => readSettings(flags, env)).toThrow(new InvalidSetting(words));
});

test.each([
  ['sslmod=disable', 'unknown parameter sslmod'],
  ['sslmode=no', 'sslmode must be one of'],
  ['pool=many', 'pool must be an integer'],
])('SAFE-3: the URL of a database with %s is an invalid setting, told without its password', (query, words) => {
  const env = { WAYBILL_STORAGE: `postgres://a:hidden@b/c?${query}` };
  expect(() => readSettings([], env)).toThrow(InvalidSetting);
  expect(() => readSettings([], env)).toThrow(new RegExp(`^(?!.*hidden)WAYBILL_STORAGE: .*${words}`));
});

test('SAFE-3: a storage of no known kind is refused without its password', () => {
  const words = 'WAYBILL_STORAGE: must be file:<folder> or postgres://<user>:<password>@<host>/<database>';
  expect(() => readSettings([], { WAYBILL_STORAGE: 'mysql://a:hidden@b/c' })).toThrow(new InvalidSetting(words));
});
