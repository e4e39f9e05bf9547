import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../../../scripts/generate/root.ts';
import { deliveryMatchers } from '../../jest/index.ts';
import { deliveryMatchers as ofVitest } from '../../vitest/index.ts';
import { packedTestbed } from '../support/packed-testbed.ts';
import { type PeerSet, type UserProject, userProject } from '../support/user-project.ts';

const NEEDED = ['ajv', 'ajv-formats', 'ipaddr.js', 'openapi-fetch', 'picocolors', 're2js', 'undici', 'valibot'];
const JEST = ['jest', 'expect', '@jest/globals', '@types/jest', '@types/node'];

/** A receiver on a socket within Jest's own world of modules and globals, and each verdict once. */
const SENT = `import { expect, test } from '@jest/globals';
import { createReceiver, exampleOf, webhookRequest } from '@waybill/testbed';
import { deliveryMatchers } from '@waybill/testbed/jest';
expect.extend(deliveryMatchers);
test('all of them hold', async () => {
  const receiver = await createReceiver({ secret: 's3cret', script: '200' });
  try {
    expect(receiver).not.toHaveDelivered();
    const event = exampleOf('track', { receivedAt: new Date().toISOString() });
    const { status } = await fetch(receiver.url, webhookRequest(event, { secret: 's3cret' }));
    expect(status).toBe(200);
    expect(receiver).toHaveDelivered({ type: 'track', count: 1 });
    expect(receiver).toMatchRetrySchedule();
    expect(receiver).toRespectRate({ perSecond: 10 });
    expect(receiver).toArriveInOrder();
    await expect(receiver).toBeSignedWith('s3cret');
    await expect(receiver).not.toBeSignedWith('another');
  } finally {
    await receiver[Symbol.asyncDispose]();
  }
});
test('it fails', () => expect([]).toHaveDelivered());
`;

const REQUIRED = `const { deliveryMatchers } = require('@waybill/testbed/jest');
expect.extend(deliveryMatchers);
test('the opposite holds', () => expect([]).not.toHaveDelivered());
`;

/** What the types of Jest know of the matchers: those of @jest/globals, and those that need no import. */
const TYPES = `const signed: Promise<void> = expect([]).toBeSignedWith('s3cret');
expect([]).not.toHaveDelivered({ type: 'track' });
// @ts-expect-error: a typing error
expect([]).toHaveDelivered({ tpye: 'track' });
// @ts-expect-error: no matcher
expect([]).toHaveDeliverd();
export const all = [signed];
`;

function jest(project: UserProject, file: string) {
  const flags = ['--rootDir', project.folder, '--testRegex', `${file}$`, '--no-cache'];
  return project.run('--experimental-vm-modules', 'node_modules/jest/bin/jest.js', ...flags);
}

function projectWith(set: PeerSet, files: Readonly<Record<string, string>>): UserProject {
  const project = userProject(packedTestbed().unpacked, [...NEEDED, ...JEST], set);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(project.folder, name), text);
  return project;
}

test('Jest has every matcher that Vitest has', () => {
  expect(Object.keys(deliveryMatchers)).toEqual(Object.keys(ofVitest));
});

test.each(['oldest', 'current'] as const)('under Jest of the set %s the matchers hold and fail in words', (set) => {
  using project = projectWith(set, { 'sent.test.js': SENT });
  const { status, output } = jest(project, 'sent.test.js');
  expect(output).toMatch(/✓ all of them hold/);
  expect(output).toMatch(/✕ it fails/);
  expect(output).toContain('nothing arrived at all');
  expect(output).toMatch(/Tests: +1 failed, 1 passed, 2 total/);
  expect(status).toBe(1);
});

test('the matchers can be required in a CommonJS test of Jest', () => {
  using project = projectWith('current', { 'required.test.cjs': REQUIRED });
  const { status, output } = jest(project, 'required.test.cjs');
  expect(output).toMatch(/✓ the opposite holds/);
  expect(status).toBe(0);
});

test('the types of Jest know the matchers, with and without an import of expect', () => {
  using project = projectWith('current', {
    'imported.ts': `import { expect } from '@jest/globals';\nimport '@waybill/testbed/jest';\n${TYPES}`,
    'global.ts': `import '@waybill/testbed/jest';\n${TYPES}`,
    'unknown.ts': `// A twin: without the entry there is no such matcher.\nimport { expect } from '@jest/globals';\nexpect([]).toHaveDelivered();\n`,
  });
  const compiled = (types: readonly string[], ...files: readonly string[]) => {
    const compilerOptions = {
      module: 'nodenext',
      target: 'esnext',
      lib: ['esnext'],
      strict: true,
      noEmit: true,
      types,
    };
    const options = { ...compilerOptions, exactOptionalPropertyTypes: true, skipLibCheck: true };
    writeFileSync(join(project.folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files }));
    return project.run(join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', '.').output;
  };
  expect(compiled(['node', 'jest'], 'imported.ts', 'global.ts')).toBe('');
  expect(compiled(['node'], 'unknown.ts')).toContain("'toHaveDelivered' does not exist");
});
