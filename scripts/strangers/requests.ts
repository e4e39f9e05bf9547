/** Requests that anybody can send, each made to cost the router as much as it can. */
import { gzipSync } from 'node:zlib';
import { largestOfConsole, NOT_IN_CONSOLE } from './console-paths.ts';

export interface HostileRequest {
  readonly what: string;
  readonly bytes: Buffer;
  /** Where it may cost more than the others. */
  readonly mostMs?: number;
}

/** Nothing that a stranger sends makes the router run for longer (SAFE-1). */
export const MAX_MS = 5;

/** What node takes of a request line and of headers. */
const HEAD_BYTES = 14_000;
/** What ingestion takes of a body. */
const BODY_BYTES = 516_096;
/** What is parsed of a body that holds no known key. */
const PARSED_BYTES = 16_384;

export const HOSTILE_REQUESTS: readonly HostileRequest[] = [
  row('a long path', get(`/${'a'.repeat(HEAD_BYTES)}`)),
  row('a path of slashes', get('/'.repeat(HEAD_BYTES))),
  row('a path of prefixes', get(`/${fill('v1/', HEAD_BYTES)}`)),
  row('a path of escapes', get(`/v1/${fill('%41', HEAD_BYTES)}`)),
  row('a query of one name', get(`/v1/pixel/track?${fill('a=1&', HEAD_BYTES)}`)),
  row('a query of many names', get(`/v1/pixel/track?${names(490, (name) => `${name}.b=1`)}`)),
  row('a pixel of nested lists', get(`/v1/pixel/track?data=${Buffer.from('['.repeat(10_000)).toString('base64url')}`)),
  row('a pixel of many fields', get(`/v1/pixel/track?data=${base64(`{${names(700, (name) => `"${name}":1`, ',')}}`)}`)),
  row('many headers', get('/v1/projects/x/settings', fill('a: b\r\n', HEAD_BYTES / 2))),
  row('a token behind spaces', get('/v1beta/workspaces', `Authorization: Bearer ${' '.repeat(HEAD_BYTES)}x y\r\n`)),
  row('a long user name', post('{}', `Authorization: Basic ${fill('OjE6', HEAD_BYTES)}\r\n`)),
  row('many forwarded addresses', post('{}', `X-Forwarded-For: ${fill('1.1.1.1,', HEAD_BYTES)}\r\n`)),
  row('metrics', get('/metrics')),
  row('the largest page', get('/docs/redoc.standalone.js')),
  row('what the console lacks, and a file of it', Buffer.concat([getFirst(NOT_IN_CONSOLE), get(largestOfConsole())])),
  row('a large body of spaces', post(' '.repeat(BODY_BYTES))),
  row('a large body of brackets', post('['.repeat(BODY_BYTES))),
  row('a large body of many fields', post(manyFields(BODY_BYTES))),
  row('a large body of events', post(batchOf('{},', BODY_BYTES))),
  row('a large body of long numbers', post(batchOf('{"userId":99999999999999999999},', BODY_BYTES))),
  row('a large body of unknown keys', post(batchOf('{"writeKey":"x"},', BODY_BYTES))),
  row('a body of many fields', post(manyFields(PARSED_BYTES))),
  row('a body of long numbers', post(batchOf('{"userId":99999999999999999999},', PARSED_BYTES))),
  row('a body of NaN', post(batchOf('NaN,', PARSED_BYTES))),
  // Node parses each chunk of what it reads at once, 64 KB, before anybody can end the connection.
  { ...row('a body of tiny chunks', chunked(20_000)), mostMs: 25 },
  row('a gzip bomb', post(gzipSync(' '.repeat(100_000_000)), 'Content-Encoding: gzip\r\n')),
  row('many fields as gzip', post(gzipSync(manyFields(BODY_BYTES)), 'Content-Encoding: gzip\r\n')),
  row('a large form', post(fill('a&', BODY_BYTES), '', '/v1/token')),
  row(
    'a form of many fields',
    post(
      names(1_800, (name) => name),
      '',
      '/v1/token',
    ),
  ),
];

function row(what: string, bytes: Buffer): HostileRequest {
  return { what, bytes };
}

function get(path: string, headers = ''): Buffer {
  return Buffer.from(`GET ${path} HTTP/1.1\r\nHost: waybill\r\n${headers}Connection: close\r\n\r\n`);
}

/** On a connection that goes on. */
function getFirst(path: string): Buffer {
  return Buffer.from(`GET ${path} HTTP/1.1\r\nHost: waybill\r\n\r\n`);
}

function post(body: string | Buffer, headers = '', path = '/v1/batch'): Buffer {
  const head = `POST ${path} HTTP/1.1\r\nHost: waybill\r\n${headers}Connection: close\r\n`;
  return Buffer.concat([Buffer.from(`${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n`), Buffer.from(body)]);
}

function chunked(pieces: number): Buffer {
  const head = 'POST /v1/batch HTTP/1.1\r\nHost: waybill\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n';
  return Buffer.from(`${head}${'1\r\n \r\n'.repeat(pieces)}0\r\n\r\n`);
}

function fill(unit: string, bytes: number): string {
  return unit.repeat(Math.floor(bytes / unit.length));
}

function names(count: number, write: (name: string) => string, between = '&'): string {
  return Array.from({ length: count }, (_, at) => write(`k${at.toString(36)}`)).join(between);
}

function manyFields(bytes: number): string {
  return `{${names(Math.floor(bytes / 12), (name) => `"${name}":1`, ',')}}`.slice(0, bytes);
}

function batchOf(unit: string, bytes: number): string {
  return `{"batch":[${fill(unit, bytes - 20)}1]}`;
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64url');
}
