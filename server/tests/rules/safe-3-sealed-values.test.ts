import fc from 'fast-check';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadDocument } from '../../http/document.ts';
import { isObject } from '../../model/json-values.ts';
import { InvalidSetting } from '../../settings/invalid-setting.ts';
import { readSettings } from '../../settings/settings.ts';
import { createKeyring, idOf, NO_KEYS } from '../../storage/secrets/keyring.ts';
import { isCurrent, keysOfRow, openedRow, sealedText } from '../../storage/secrets/sealed-rows.ts';
import { destination, source } from '../support/config-resources.ts';
import { newFolder } from '../support/delivery-world.ts';
import { keyText } from '../support/secret-world.ts';

const [ONE, TWO] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
const OPENS_NOT = 'was changed, or copied from another resource';

test('SAFE-3: a sealed text opens with its key in its place, and is another one each time', () => {
  const keyring = createKeyring([ONE]);
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (text, place) => {
      const sealed = keyring.seal(text, place);
      expect(keyring.open(sealed, place)).toBe(text);
      expect(createKeyring([TWO, ONE]).open(sealed, place)).toBe(text);
      expect(keyring.seal(text, place)).not.toBe(sealed);
      expect(() => keyring.open(sealed, `${place}.`)).toThrow(OPENS_NOT);
    }),
  );
});

test('SAFE-3: no bit of a sealed text can be changed, nor its end cut off', () => {
  const keyring = createKeyring([ONE]);
  const sealed = keyring.seal('a secret', 'here');
  const begin = sealed.lastIndexOf(':') + 1;
  const bytes = Buffer.from(sealed.slice(begin), 'base64');
  const opened = (changed: Buffer) => () => keyring.open(sealed.slice(0, begin) + changed.toString('base64'), 'here');
  for (const index of bytes.keys()) {
    const changed = Buffer.from(bytes);
    changed[index] = (changed[index] ?? 0) ^ 1;
    expect(opened(changed)).toThrow(OPENS_NOT);
  }
  for (const length of [0, 1, 12, 20, bytes.length - 1])
    expect(opened(bytes.subarray(0, length)), String(length)).toThrow(OPENS_NOT);
});

test('SAFE-3: what names a key that was not given, or none, is refused with what to do', () => {
  const sealed = createKeyring([ONE]).seal('a secret', 'here');
  const refusal = `here is encrypted with the key ${idOf(ONE)}, which was not given: add that key to WAYBILL_SECRET_KEYS`;
  for (const keyring of [NO_KEYS, createKeyring(['none']), createKeyring([TWO])])
    expect(() => keyring.open(sealed, 'here')).toThrow(refusal);
  expect(() => createKeyring([ONE]).open('anything', 'here')).toThrow('here is damaged: restore it from a backup');
});

test('SAFE-3: of a row, only what holds secrets is sealed, in its place, and each field with its key', () => {
  const [keyring, rotating] = [createKeyring([ONE]), createKeyring([TWO, ONE])];
  const rotation = { previous_secret: 'old', start_time: '', end_time: '' };
  const row = { ...destination('workspaces/main/sources/js'), rotation };
  const stored: unknown = JSON.parse(sealedText(keyring, 'destinations', row));
  expect(Object.keys(stored ?? {})).toEqual(Object.keys(row));
  expect(stored).toEqual({
    ...row,
    config: expect.stringMatching(/^sealed:/),
    rotation: expect.stringMatching(/^sealed:/),
  });
  expect(keysOfRow('destinations', stored)).toEqual([idOf(ONE), idOf(ONE)]);
  expect(JSON.stringify(openedRow(rotating, 'destinations', stored))).toBe(JSON.stringify(row));
  expect([isCurrent(keyring, 'destinations', stored), isCurrent(rotating, 'destinations', stored)]).toEqual([
    true,
    false,
  ]);
});

test('SAFE-3: without a key rows are stored as they are, and a kind without secrets always is', () => {
  const [row, plan] = [source('main', 'js'), { name: 'workspaces/main/tracking-plans/rs_1', config: [], rotation: {} }];
  for (const keyring of [NO_KEYS, createKeyring(['none', ONE])])
    expect(sealedText(keyring, 'sources', row)).toBe(JSON.stringify(row));
  expect(sealedText(createKeyring([ONE]), 'tracking-plans', plan)).toBe(JSON.stringify(plan));
  expect(openedRow(NO_KEYS, 'sources', row)).toBe(row);
});

const keysOf = (flags: readonly string[], env = {}) => readSettings(flags, env).secretKeys;

test('keys are read from a flag, a variable or a file, the newest first', () => {
  const file = join(newFolder(), 'keys');
  writeFileSync(file, `${keyText(2)}\n${keyText(1)}\n`);
  const both = `${keyText(2)},${keyText(1)}`;
  expect(keysOf([`--secret-keys=${both}`])).toEqual([TWO, ONE]);
  expect(keysOf([], { WAYBILL_SECRET_KEYS: both })).toEqual([TWO, ONE]);
  expect(keysOf([], { WAYBILL_SECRET_KEYS_FILE: file })).toEqual([TWO, ONE]);
  expect(keysOf([`--secret-keys=none,${keyText(1)}`])).toEqual(['none', ONE]);
  expect(keysOf([])).toEqual([]);
});

/** Where the document marks secrets, and what is stored of each. */
const MARKED = {
  ConfigEntry: 'destinations: config',
  WriteKey: 'sources: write_keys',
  'RotateSecret.secret': 'destinations: config, and the one before: rotation',
  'RotatedSecret.secret': 'destinations: config',
  'AccessToken.token': 'a hash',
};

test('SAFE-3: of each secret that the document marks it is known how it is stored', () => {
  const { schemas = {} } = loadDocument('config-api').components;
  expect(marksIn(schemas).toSorted()).toEqual(Object.keys(MARKED).toSorted());
});

test('a secret that is marked anew is found', () => {
  const schemas = { Thing: { properties: { key: { type: 'string', 'x-secret': 'text' }, name: {} } } };
  expect(marksIn(schemas)).toEqual(['Thing.key']);
});

/** Names of schemas, and of their fields, that hold a secret. */
function marksIn(schemas: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(schemas).flatMap(([name, schema]) => {
    if (!isObject(schema)) return [];
    const fields = isObject(schema['properties'])
      ? marksIn(schema['properties']).map((field) => `${name}.${field}`)
      : [];
    return 'x-secret' in schema ? [name, ...fields] : fields;
  });
}

const file = (name: string, content: string): string => {
  const path = join(newFolder(), name);
  writeFileSync(path, content);
  return path;
};

test.each([
  [
    'too short',
    () => [`--secret-keys=${Buffer.alloc(16, 7).toString('base64')}`],
    'key 1 of 1 is not 32 bytes in base64',
  ],
  ['no base64', () => [`--secret-keys=${keyText(1)},s3cret!`], 'key 2 of 2 is not 32 bytes'],
  ['"none" behind a key', () => [`--secret-keys=${keyText(1)},none`], 'key 2 of 2 is not 32 bytes'],
  ['a file that is missing', () => ['--secret-keys-file=/nowhere/keys'], 'ENOENT'],
  ['an empty file', () => [`--secret-keys-file=${file('keys', '\n')}`], 'the file holds no key'],
  ['both', () => [`--secret-keys=${keyText(1)}`, `--secret-keys-file=${file('keys', keyText(1))}`], 'give one of them'],
])('SAFE-3: keys that cannot be used (%s) are refused, and never repeated', (_what, flags, why) => {
  const read = () => readSettings(flags(), {});
  expect(read).toThrow(InvalidSetting);
  expect(read).toThrow(why);
  expect(read).not.toThrow(/s3cret|AQEBAQ|BwcHBw/);
});
