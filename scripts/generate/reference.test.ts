import { expect, test } from 'vitest';
import { curlOf } from './example-request.ts';
import { withoutNetwork } from './reference.ts';

test('a page that wants other code than the one beside it is refused', () => {
  const page = '<link href="https://cdn.example.com/redoc.standalone.js" integrity="sha384-other" />';
  expect(() => withoutNetwork(page, 'x')).toThrow('the page of x wants sha384-other');
});

test('a page of which nothing is known is refused', () => {
  expect(() => withoutNetwork('<html></html>', 'x')).toThrow('the page of x wants no known code');
});

test('an example with a quote stays one word of the shell', () => {
  const request = { method: 'post', path: '/x', body: JSON.stringify({ a: "it's" }) };
  expect(curlOf(request, 'http://127.0.0.1:8080')).toBe(
    `curl -X POST http://127.0.0.1:8080/x \\\n  -H "Authorization: Bearer $WAYBILL_TOKEN" \\\n  -d '{\n  "a": "it'\\''s"\n}'`,
  );
});
