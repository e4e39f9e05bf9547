import { WRITE_KEY } from './ingestion-server.ts';

/** A request in the form that an unmodified client puts it on the wire, and what its events are to us. */
export interface Captured {
  readonly client: string;
  readonly path: string;
  readonly hasBasic: boolean;
  readonly contentType: string;
  readonly body: string;
  readonly events: readonly object[];
}

const JSON_TYPE = 'application/json';
const UUID = '7c4e6b0a-3c1f-4f0e-9a52-5c6f3c1b8f10';

/** Clock of the senders: two seconds behind the server's noon. */
const SENT = '2026-11-20T11:59:58';

export const CAPTURED: readonly Captured[] = [
  {
    client: 'analytics-python 2.3.4',
    path: '/v1/batch',
    hasBasic: false,
    contentType: JSON_TYPE,
    body: `{"batch": [{"integrations": {}, "anonymousId": null, "properties": {"price": NaN, "name": "caf\\u00e9", "max": Infinity}, "timestamp": "${SENT}.027+00:00", "context": {"library": {"name": "analytics-python", "version": "2.3.4"}}, "userId": "True", "type": "track", "event": "Order", "messageId": "${UUID}"}, {"integrations": {}, "previousId": "p", "timestamp": "${SENT}.028-05:00", "context": {}, "userId": "u", "type": "alias", "messageId": "a1", "anonymousId": null}, {"integrations": {}, "anonymousId": null, "properties": {}, "timestamp": "${SENT}.000+00:00", "context": {}, "userId": "nan", "category": null, "name": 0, "type": "page", "messageId": ""}, {"integrations": {}, "anonymousId": null, "groupId": 0, "traits": {"n": 1180591620717411303424}, "timestamp": "${SENT}.000+00:00", "context": {}, "userId": "u", "type": "group", "messageId": "g1"}], "writeKey": "${WRITE_KEY}", "sentAt": "${SENT}.527415+00:00"}`,
    events: [
      {
        type: 'track',
        messageId: UUID,
        userId: 'True',
        properties: { price: null, name: 'café', max: null },
        originalTimestamp: `${SENT}.027+00:00`,
        sentAt: `${SENT}.527415+00:00`,
        timestamp: '2026-11-20T11:59:59.500Z',
      },
      { type: 'alias', userId: 'u', previousId: 'p', timestamp: '2026-11-20T16:59:59.501Z' },
      { type: 'page', messageId: 'api-id-1', userId: 'nan', name: '0' },
      { type: 'group', groupId: '0', traits: { n: 2 ** 70 } },
    ],
  },
  {
    client: '@segment/analytics-node 3.1.0',
    path: '/v1/batch',
    hasBasic: true,
    contentType: JSON_TYPE,
    body: `{"batch":[{"timestamp":"${SENT}.958Z","type":"track","userId":"u","event":"Signed Up","properties":{"plan":"pro"},"context":{"library":{"name":"@segment/analytics-node","version":"3.1.0"}},"messageId":"node-next-1732103998958-${UUID}","_metadata":{"nodeVersion":"v20.20.2","jsRuntime":"node"},"integrations":{}}],"writeKey":"${WRITE_KEY}","sentAt":"${SENT}.960Z"}`,
    events: [
      {
        type: 'track',
        messageId: `node-next-1732103998958-${UUID}`,
        context: { library: { name: '@segment/analytics-node', version: '3.1.0' } },
        timestamp: '2026-11-20T11:59:59.998Z',
      },
    ],
  },
  {
    client: 'analytics-node 6.2.0',
    path: '/v1/batch',
    hasBasic: true,
    contentType: JSON_TYPE,
    body: `{"batch":[{"userId":"7","traits":{"a":1},"context":{"library":{"name":"analytics-node","version":"6.2.0"}},"type":"identify","timestamp":"${SENT}.000Z","_metadata":{"nodeVersion":"20.20.2"},"messageId":"node-5d41402abc4b2a76b9719d911017c592-${UUID}"},{"userId":"u","groupId":12,"type":"group","timestamp":"yesterday","messageId":"n2"}],"timestamp":"${SENT}.000Z","sentAt":"${SENT}.000Z"}`,
    events: [
      { type: 'identify', userId: '7', timestamp: '2026-11-20T12:00:00.000Z' },
      { type: 'group', groupId: '12', timestamp: '2026-11-20T12:00:00.000Z', originalTimestamp: 'yesterday' },
    ],
  },
  {
    client: 'analytics-go 3.3.0',
    path: '/v1/batch',
    hasBasic: true,
    contentType: JSON_TYPE,
    body: `{"messageId":"batch-1","sentAt":"${SENT}.808867363Z","batch":[{"type":"track","messageId":"go-1","userId":"u","event":"Moved","timestamp":"${SENT}.808867363Z","integrations":{"all":false,"Webhooks":true}},{"type":"identify","messageId":"go-2","anonymousId":"a","timestamp":"2020-01-01T00:00:00.123456789-07:00","traits":{"age":3}}],"context":{"library":{"name":"analytics-go","version":"3.0.0"}}}`,
    events: [
      {
        messageId: 'go-1',
        context: { library: { name: 'analytics-go', version: '3.0.0' } },
        timestamp: '2026-11-20T12:00:00.000Z',
        integrations: { all: false, Webhooks: true },
      },
      { messageId: 'go-2', anonymousId: 'a', context: { library: { name: 'analytics-go' } } },
    ],
  },
  {
    client: 'analytics-ruby 2.5.0',
    path: '/v1/import',
    hasBasic: true,
    contentType: JSON_TYPE,
    body: `{"sentAt":"${SENT}.100Z","batch":[{"userId":"u","context":{"library":{"name":"analytics-ruby","version":"2.5.0"}},"messageId":"rb-1","timestamp":"${SENT}.000+01:00","type":"identify","traits":{"at":"1970-01-01 00:00:00 +0000"},"options":{"x":1}}]}`,
    events: [{ messageId: 'rb-1', traits: { at: '1970-01-01 00:00:00 +0000' }, timestamp: '2026-11-20T10:59:59.900Z' }],
  },
  {
    client: 'analytics-php 3.8.2',
    path: '/v1/batch',
    hasBasic: true,
    contentType: JSON_TYPE,
    body: `{"batch":[{"context":{"library":{"name":"analytics-php","version":"3.8.2","consumer":"LibCurl"}},"timestamp":"${SENT}+00:00","userId":"u","event":"Bought","properties":[],"integrations":[],"type":"track","messageId":"php-1"},{"context":[],"timestamp":"1970-01-01T00:33:40+00:00","anonymousId":"a","traits":{"obj":[]},"type":"identify","messageId":"php-2"}],"sentAt":"${SENT}+00:00"}`,
    events: [
      { messageId: 'php-1', properties: {}, integrations: {}, timestamp: '2026-11-20T12:00:00.000Z' },
      { messageId: 'php-2', context: {}, traits: { obj: [] }, timestamp: '1970-01-01T00:33:42.000Z' },
    ],
  },
  {
    client: 'analytics-java 3.5.5',
    path: '/v1/import/',
    hasBasic: true,
    contentType: 'application/json; charset=utf-8',
    body: `{"batch":[{"type":"screen","messageId":"jv-1","sentAt":"${SENT}.500Z","timestamp":"${SENT}.000Z","userId":"u","name":"Home","properties":{}}],"sentAt":"${SENT}.000Z","context":{"library":{"name":"analytics-java","version":"3.5.5"}},"sequence":4,"writeKey":"${WRITE_KEY}"}`,
    events: [
      {
        messageId: 'jv-1',
        name: 'Home',
        sentAt: `${SENT}.500Z`,
        timestamp: '2026-11-20T11:59:59.500Z',
        context: { library: { name: 'analytics-java', version: '3.5.5' } },
      },
    ],
  },
  {
    client: '@segment/analytics-next 1.84.3',
    path: '/v1/p',
    hasBasic: true,
    contentType: 'text/plain',
    body: `{"timestamp":"${SENT}.100Z","integrations":{},"type":"page","properties":{"path":"/","referrer":"","search":"","title":"T","url":"https://a.example/"},"name":null,"category":null,"context":{"page":{"path":"/"},"userAgent":"Mozilla/5.0","locale":"en-US","library":{"name":"analytics.js","version":"npm:next-1.84.3"}},"messageId":"ajs-next-1732103998100-${UUID}","userId":null,"anonymousId":"${UUID}","writeKey":"${WRITE_KEY}","sentAt":"${SENT}.103Z","_metadata":{"bundled":["Segment.io"],"unbundled":[],"bundledIds":[]}}`,
    events: [
      {
        type: 'page',
        anonymousId: UUID,
        context: { userAgent: 'Mozilla/5.0', locale: 'en-US' },
        timestamp: '2026-11-20T11:59:59.997Z',
      },
    ],
  },
  {
    client: 'a program that speaks HTTP itself',
    path: '/v1/track',
    hasBasic: false,
    contentType: 'application/json; charset=utf-8',
    body: `{ "userId": 19, "event": "Item Bought", "timestamp": "2015-2-02T00:30:08.276Z", "writeKey": "${WRITE_KEY}" }`,
    events: [{ type: 'track', userId: '19', timestamp: '2015-02-02T00:30:08.276Z', messageId: 'api-id-1' }],
  },
];
