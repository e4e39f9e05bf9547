import { expect, test } from 'vitest';
import { readRequests } from './http-requests.ts';
import { numberedCall, numberedEvent, numberOf } from './numbered-event.ts';

const BODY = Buffer.from('{"messageId":"bench-42","x":1}');
const HEAD = Buffer.from(`POST /ok/7 HTTP/1.1\r\nHost: a\r\ncontent-length: ${BODY.length}\r\n\r\n`);

test('requests are found however the bytes are cut', () => {
  const bytes = Buffer.concat([HEAD, BODY, HEAD, BODY]);
  for (let size = 1; size <= bytes.length; size += 1) {
    const found: { path: string; number: number }[] = [];
    const read = readRequests(({ path, body }) => found.push({ path, number: numberOf(body) }));
    for (let at = 0; at < bytes.length; at += size) read(bytes.subarray(at, at + size));
    expect(found).toEqual([
      { path: '/ok/7', number: 42 },
      { path: '/ok/7', number: 42 },
    ]);
  }
});

test('an event is found again by its number', () => {
  expect(numberOf(Buffer.from(JSON.stringify(numberedEvent(123_456))))).toBe(123_456);
  expect(numberOf(Buffer.from(JSON.stringify(numberedCall(7))))).toBe(7);
  expect(numberOf(Buffer.from('{}'))).toBeNaN();
});
