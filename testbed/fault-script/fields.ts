import { normalDelay, parseDelay, printDelay } from './delay.ts';
import type { Field } from './field.ts';
import { hasKeys, integer, numberOrText, oneOf, simple, wholeNumber } from './field.ts';
import { headerField, headerValue } from './header-field.ts';
import { Complaint, show } from './script-error.ts';
import type { Drip, Duration, EventType, Percent, Word, Words } from './step.ts';
import { EVENT_TYPES, MALFORMATIONS, STAGES, UNREACHABLES } from './step.ts';
import { milliseconds, normalDuration, normalSize } from './units.ts';

const on: Field<readonly EventType[]> = {
  normalize(value) {
    if (!Array.isArray(value) || value.length === 0) {
      throw new Complaint(`${show(value)} is no list of event types; write some of ${EVENT_TYPES.join(', ')}`);
    }
    const wanted = new Set(value.map(oneOf(EVENT_TYPES).normalize));
    return EVENT_TYPES.filter((type) => wanted.has(type));
  },
  parse: (text) => text.split('|').map((type) => type.trim()),
  print: (types) => types.join('|'),
};

const chance = simple((value): Percent => {
  const number = typeof value === 'string' && /^\d{1,2}(\.\d{1,6})?%$/.test(value) ? Number.parseFloat(value) : 0;
  if (number > 0) return `${number}%`;
  throw new Complaint(`${show(value)} is no chance; write more than 0% and less than 100%, such as 30%`);
});

const times: Field<number | 'always'> = {
  normalize: (value) => (value === 'always' ? value : wholeNumber('number of times', value, 1, 1_000_000_000)),
  parse: (text) => (text === '*' ? 'always' : numberOrText(text)),
  print: (value) => (value === 'always' ? '*' : String(value)),
};

const wholeSeconds = simple((value): Duration => {
  const duration = normalDuration(value);
  if (milliseconds(duration) % 1000 === 0) return duration;
  throw new Complaint(`${duration} is too fine for the Retry-After header; write whole seconds, such as 30s`);
});

const body = simple((value) => {
  if (typeof value === 'string' && value !== '' && value.isWellFormed()) return value;
  throw new Complaint(`${show(value)} is no body; write some text, or leave it out for an empty body`);
});

const to = simple((value) => {
  if (value !== '') return headerValue(value);
  throw new Complaint('a redirect needs an address; write a URL, or self');
});

const gzip: Field<true> = {
  normalize(value) {
    if (value === true) return value;
    throw new Complaint(`${show(value)} is not how gzip is switched on; write gzip alone (data form: true)`);
  },
  parse: (text) => text === '' || text,
  print: () => '',
};

const interim: Field<Words['interim']> = {
  normalize(value) {
    if (!hasKeys(value, 'status', 'count')) throw new Complaint('interim takes a status and a count, such as 103x5');
    const status = wholeNumber('informational status', value.status, 100, 199);
    // 101 would change the protocol, and what follows would be no HTTP at all.
    if (status === 101)
      throw new Complaint('101 switches protocols and cannot come before an answer; write 100, 102 or 103');
    return { status, count: wholeNumber('count', value.count, 1, 1_000_000) };
  },
  parse(text) {
    const [status = '', count = '1'] = text.split('x');
    return { status: numberOrText(status), count: numberOrText(count) };
  },
  print: ({ status, count }) => (count === 1 ? `${status}` : `${status}x${count}`),
};

const drip: Field<Drip> = {
  normalize(value) {
    if (!hasKeys(value, 'bytes', 'every')) throw new Complaint('a drip takes bytes and how often, such as 1B/1s');
    const every = normalDuration(value.every);
    if (milliseconds(every) === 0) throw new Complaint('a drip waits between its bits; write how long, such as 1B/1s');
    return { bytes: wholeNumber('number of bytes', value.bytes, 1, 1_048_576), every };
  },
  parse(text) {
    const [, bytes = text, every = ''] = /^(\d+)B\/(.*)$/.exec(text) ?? [];
    return { bytes: numberOrText(bytes), every: /^[a-z]+$/.test(every) ? `1${every}` : every };
  },
  print: ({ bytes, every }) => `${bytes}B/${every}`,
};

/** The whole language: one entry for each word, in the order of normal form. */
export const FIELDS: { readonly [W in Word]: Field<Words[W]> } = {
  on,
  status: integer('status', 200, 599),
  to,
  headers: headerField,
  retryAfter: wholeSeconds,
  retryAfterDate: wholeSeconds,
  body,
  size: simple((value) => (value === 'endless' ? value : notEmpty(value))),
  gzip,
  headerSize: simple(notEmpty),
  interim,
  drip,
  dripHeaders: drip,
  silence: oneOf(STAGES),
  reset: oneOf(STAGES),
  close: oneOf(STAGES),
  malformed: oneOf(MALFORMATIONS),
  unreachable: oneOf(UNREACHABLES),
  delay: { normalize: normalDelay, parse: parseDelay, print: printDelay },
  chance,
  seed: integer('seed', 0, 4_294_967_295),
  times,
};

function notEmpty(value: unknown) {
  const size = normalSize(value);
  if (!size.startsWith('0')) return size;
  throw new Complaint(`${size} is nothing; leave it out`);
}

export const WORDS: readonly Word[] = Object.keys(FIELDS).filter(isWord);

export function isWord(text: string): text is Word {
  return Object.hasOwn(FIELDS, text);
}
