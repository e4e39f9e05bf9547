import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { contractBreaks } from './contract-breaks.ts';
import { compareWithRelease } from './permitted-changes.ts';
import { RELEASED } from './released.ts';

test.each(RELEASED)('CFG-23: $name is compatible with its last release', (contract) => {
  expect(compareWithRelease(contract).faults).toEqual([]);
});

/** A part of a document that is an object, for edits by hand. */
type Editable = Record<string, unknown>;

/** What the gate says when this is the only edit of the released document. */
function breaksOf(edit: (document: Editable) => void): string[] {
  const [config] = RELEASED;
  if (config === undefined) throw new Error('nothing is released');
  const folder = mkdtempSync(join(tmpdir(), 'waybill-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const edited: Editable = JSON.parse(readFileSync(config.released, 'utf8'));
  edit(edited);
  const file = join(folder, 'edited.json');
  writeFileSync(file, JSON.stringify(edited));
  return contractBreaks(config.released, file);
}

/** An object in a document: it is there, or the test is out of date. */
function inside(document: Editable, ...steps: string[]): Editable {
  return steps.reduce((part, step) => {
    const inner = part[step];
    if (!isEditable(inner)) throw new Error(`the document has no ${steps.join('.')}`);
    return inner;
  }, document);
}

function isEditable(value: unknown): value is Editable {
  return typeof value === 'object' && value !== null;
}

/** The same for a list, with all but what the filter leaves out. */
function shorten(document: Editable, field: string, keep: (item: unknown, index: number) => boolean): void {
  document[field] = Object.values(inside(document, field)).filter(keep);
}

function lengthen(document: Editable, field: string, item: unknown): void {
  document[field] = [...Object.values(inside(document, field)), item];
}

const source = (document: Editable): Editable =>
  inside(document, 'components', 'schemas', 'CreateSource', 'properties', 'source');
const schema = (document: Editable, name: string): Editable => inside(document, 'components', 'schemas', name);

test.each<[what: string, edit: (document: Editable) => void, text: string]>([
  ['a removed operation', (d) => delete inside(d, 'paths', '/v1beta/workspaces')['post'], 'was removed'],
  ['a newly required field', (d) => lengthen(source(d), 'required', 'catalog_name'), 'became required'],
  ['a removed field of an answer', (d) => delete inside(schema(d, 'Source'), 'properties')['labels'], 'was removed'],
  [
    'a narrower choice in a request',
    (d) => shorten(schema(d, 'ConnectionMode'), 'enum', (mode) => mode !== 'DEVICE'),
    'DEVICE',
  ],
])('CFG-23: the gate stops %s in paths', (_what, edit, text) => {
  expect(breaksOf(edit).join('\n')).toContain(text);
});

test.each<[what: string, edit: (document: Editable) => void, text: string]>([
  ['a removed webhook', (d) => delete inside(d, 'webhooks')['alias'], 'alias'],
  [
    'a field that no longer always comes',
    (d) => shorten(schema(d, 'TrackEvent'), 'required', (field) => field !== 'version'),
    'webhooks.track body.version does not always come any more',
  ],
  [
    'a removed optional field',
    (d) => delete inside(schema(d, 'TrackEvent'), 'properties')['sentAt'],
    'webhooks.track body.sentAt was removed',
  ],
  [
    'a removed variant of the event',
    (d) => shorten(schema(d, 'WebhookEvent'), 'oneOf', (_variant, index) => index > 0),
    'WebhookEvent no longer has the variant',
  ],
  [
    'a changed constant',
    (d) => Object.assign(inside(schema(d, 'TrackEvent'), 'properties', 'version'), { const: 2 }),
    'webhooks.track body.version: const was 1, and is 2',
  ],
  [
    'a removed header',
    (d) => shorten(inside(d, 'webhooks', 'track', 'post'), 'parameters', (_header, index) => index === 0),
    'webhooks.track no longer has the header X-Signature',
  ],
  [
    'an event of closed fields',
    (d) => Object.assign(schema(d, 'TrackEvent'), { additionalProperties: false }),
    'webhooks.track body no longer holds other fields',
  ],
])('CFG-23: the gate stops %s in webhooks', (_what, edit, text) => {
  expect(breaksOf(edit).join('\n')).toContain(text);
});

test.each<[what: string, edit: (document: Editable) => void]>([
  [
    'an optional field of a request',
    (d) => Object.assign(inside(source(d), 'properties'), { note: { type: 'string' } }),
  ],
  [
    'a field of an answer',
    (d) => Object.assign(inside(schema(d, 'Source'), 'properties'), { note: { type: 'string' } }),
  ],
  [
    'a required field of a webhook, which is safe for its receivers',
    (d) => {
      Object.assign(inside(schema(d, 'TrackEvent'), 'properties'), { nonce: { type: 'string' } });
      lengthen(schema(d, 'TrackEvent'), 'required', 'nonce');
    },
  ],
  ['one more webhook', (d) => Object.assign(inside(d, 'webhooks'), { ping: inside(d, 'webhooks', 'track') })],
])('CFG-23: the gate lets pass %s', (_what, edit) => {
  expect(breaksOf(edit)).toEqual([]);
});
