import { Ajv2020 } from 'ajv/dist/2020.js';

const text = { type: 'string' };
const size = { type: 'integer', minimum: -1 };
const list = (items: object) => ({ type: 'array', items });
/** A format in which fields of one's own begin with an underscore. */
const object = (required: Record<string, object>, optional: Record<string, object> = {}) => ({
  type: 'object',
  required: Object.keys(required),
  properties: { ...required, ...optional },
  patternProperties: { '^_': {} },
  additionalProperties: false,
});

const pair = object({ name: text, value: text }, { comment: text });
const cookie = object({ name: text, value: text });
const request = object(
  {
    method: text,
    url: { type: 'string', pattern: '^https?://' },
    httpVersion: text,
    cookies: list(cookie),
    headers: list(pair),
    queryString: list(pair),
    headersSize: size,
    bodySize: size,
  },
  { postData: object({ mimeType: text, text }, { params: list(pair) }) },
);
const response = object({
  status: { type: 'integer', minimum: 0, maximum: 599 },
  statusText: text,
  httpVersion: text,
  cookies: list(cookie),
  headers: list(pair),
  content: object({ size, mimeType: text }, { text, encoding: { const: 'base64' }, compression: { type: 'integer' } }),
  redirectURL: text,
  headersSize: size,
  bodySize: size,
});
const ms = { type: 'number', minimum: 0 };
const entry = object({
  startedDateTime: { type: 'string', pattern: String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$` },
  time: ms,
  request,
  response,
  cache: { type: 'object' },
  timings: object({ send: ms, wait: ms, receive: ms }),
});

/** HAR 1.2, as far as an archive of requests needs it. */
const archive = object({
  log: object({ version: { const: '1.2' }, creator: object({ name: text, version: text }), entries: list(entry) }),
});

interface Timed {
  readonly log: {
    readonly entries: readonly {
      readonly time: number;
      readonly timings: Readonly<Record<'send' | 'wait' | 'receive', number>>;
    }[];
  };
}

/** What is wrong with an archive; undefined when nothing is. */
export function harFault(har: unknown): string | undefined {
  const ajv = new Ajv2020({ allErrors: true });
  const check = ajv.compile<Timed>(archive);
  if (!check(har)) return ajv.errorsText(check.errors);
  // The format wants the parts to add up.
  const wrong = har.log.entries.find(({ time, timings: { send, wait, receive } }) => time !== send + wait + receive);
  return wrong === undefined ? undefined : `the timings of an entry do not add up to ${wrong.time}`;
}
