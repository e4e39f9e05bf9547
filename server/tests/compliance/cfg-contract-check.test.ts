import { expect, test } from 'vitest';
import { createContractCheck } from '../support/config-contract.ts';

const check = createContractCheck();
const request = { method: 'GET', path: '/v1beta/workspaces' };

test('the contract check passes what is documented', () => {
  expect(check(request, 200, { workspaces: [], next_page_token: '' })).toBeUndefined();
  expect(check(request, 401, { error: 'no access token', code: 16 })).toBeUndefined();
});

test.each([
  ['a status that is not documented', 418, { error: 'tea', code: 3 }],
  ['a missing key', 200, { workspaces: [] }],
  ['a code that does not exist', 401, { error: 'no access token', code: 99 }],
  ['a resource of a wrong shape', 200, { workspaces: [{ name: 'main' }], next_page_token: '' }],
])('the contract check sees %s', (_what, status, body) => {
  expect(check(request, status, body)).toContain(`GET /v1beta/workspaces ${status}`);
});
