import { expect, test } from 'vitest';
import { firstBlocks } from './steps.ts';

test('the first steps of the testbed are those that are typed and measured', () => {
  expect(firstBlocks().map((text) => text.split(' ').slice(0, 2).join(' '))).toEqual([
    'npm run',
    'npm init',
    'cp node_modules/@waybill/testbed/testbed/examples/first.test.ts',
    'npx waybill-receiver',
  ]);
});

test('a page with another first step is found', () => {
  expect(() => firstBlocks('\n## First test\n```sh\nnpm ci\n```\n## Tools\n')).toThrow(
    'docs/testbed.md has other first steps than scripts/first-steps: npm ci',
  );
});
