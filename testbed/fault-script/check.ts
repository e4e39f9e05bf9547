import { FIELDS, isWord, WORDS } from './fields.ts';
import { nearest } from '../../server/nearest.ts';
import { Complaint, show } from './script-error.ts';
import type { Stage, Step, Word } from './step.ts';

type Drafted = { readonly [W in Word]?: unknown };

const WHEN: readonly Word[] = ['on', 'chance', 'seed', 'times', 'delay'];
const ENDINGS: readonly Word[] = ['silence', 'reset', 'close', 'malformed', 'unreachable'];

/** Stages that come before the body of a request is read, and so before its event type is known. */
const EARLY: ReadonlySet<unknown> = new Set<Stage>(['connect', 'upload']);
/** Stages at which no status has been sent. */
const WORDLESS: ReadonlySet<unknown> = new Set<Stage>(['connect', 'upload', 'request']);
/** Stages in the middle of an answer, which needs a body to have a middle. */
const MIDWAY: ReadonlySet<unknown> = new Set<Stage>(['headers', 'body']);
const BODILESS: ReadonlySet<unknown> = new Set([204, 205, 304]);

/** The step in normal form, or a Complaint about the first thing in it that is wrong. */
export function normalizeStep(value: unknown): Step {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Complaint(`a step is an object; write { status: 503 }, for instance`);
  }
  for (const key of Object.keys(value)) if (!isWord(key)) throw unknownWord(key, WORDS);
  const step = normalizeWords(value);
  for (const rule of RULES) if (rule.broken(step)) throw new Complaint(rule.wayOut, rule.word);
  checkCompany(step);
  return step;
}

export function unknownWord(seen: string, known: readonly string[]): Complaint {
  const guess = nearest(seen, known);
  const hint =
    guess === undefined ? `write a status such as 503, or one of ${known.join(', ')}` : `did you mean ${guess}?`;
  return new Complaint(`${show(seen)} is no word of the language; ${hint}`);
}

export function actsBeforeReading(step: Step): boolean {
  return EARLY.has(step.silence ?? step.reset ?? step.close);
}

function normalizeWords(value: Drafted): Drafted {
  const given = WORDS.filter((word) => value[word] !== undefined);
  const entries = given.map((word) => {
    try {
      return [word, FIELDS[word].normalize(value[word])] as const;
    } catch (error) {
      throw error instanceof Complaint ? new Complaint(error.message, word) : error;
    }
  });
  // Normal form has one way to say a thing: no `times` is one time, and a step that says nothing is a 200.
  const said = entries.filter(([word, normal]) => word !== 'times' || normal !== 1);
  const silent = said.every(([word]) => word === 'on' || word === 'times');
  return { ...(silent ? { status: 200 } : {}), ...Object.fromEntries(said) };
}

/**
 * An ending stands for the whole answer, so only a stage that has sent a status goes with one. With each word in normal
 * form, these are the members of the union Step.
 */
function checkCompany(step: Drafted): asserts step is Step {
  const words = WORDS.filter((word) => step[word] !== undefined);
  const [ending, another] = words.filter((word) => ENDINGS.includes(word));
  if (ending === undefined) return;
  if (another !== undefined)
    throw new Complaint(`${ending} and ${another} cannot both happen; make them two steps`, another);
  const stray = words.find(
    (word) => word !== ending && !WHEN.includes(word) && (word !== 'status' || sendsNoStatus(step)),
  );
  if (stray !== undefined) {
    throw new Complaint(
      `${stray} has no effect with ${ending}:${String(step[ending])}; leave it out, or make it another step`,
      stray,
    );
  }
}

function sendsNoStatus({ silence, reset, close }: Drafted): boolean {
  const stage = silence ?? reset ?? close;
  return stage === undefined || WORDLESS.has(stage);
}

interface Rule {
  readonly word: Word;
  readonly broken: (step: Drafted) => boolean;
  readonly wayOut: string;
}

/** What must hold between the words of a step; a setting that would have no effect is refused. */
const RULES: readonly Rule[] = [
  {
    word: 'to',
    broken: ({ to, status }) => to !== undefined && !(typeof status === 'number' && status >= 300 && status < 400),
    wayOut: 'only a redirect has an address to go to; give it a status such as 302',
  },
  {
    word: 'retryAfterDate',
    broken: ({ retryAfter, retryAfterDate }) => retryAfter !== undefined && retryAfterDate !== undefined,
    wayOut: 'an answer has one Retry-After; write it in seconds or as a date',
  },
  {
    word: 'headers',
    broken: ({ headers, to, retryAfter, retryAfterDate, gzip }) =>
      names(headers, 'location', to) ||
      names(headers, 'retry-after', retryAfter ?? retryAfterDate) ||
      names(headers, 'content-encoding', gzip),
    wayOut: 'this header is written by another word of the step too; keep one of the two',
  },
  {
    word: 'size',
    broken: ({ body, size }) => body !== undefined && size !== undefined,
    wayOut: 'a body is either given or of a size; leave one out',
  },
  {
    word: 'gzip',
    broken: ({ body, size, gzip, drip }) => gzip !== undefined && (body ?? size ?? drip) === undefined,
    wayOut: 'there is nothing to compress; add a body or a size',
  },
  {
    word: 'status',
    broken: ({ status, body, size, drip, close, reset, silence }) =>
      BODILESS.has(status) && ((body ?? size ?? drip) !== undefined || MIDWAY.has(close ?? reset ?? silence)),
    wayOut: 'an answer with this status has no body; take another status, or leave the body out',
  },
  {
    word: 'silence',
    broken: ({ silence }) => silence === 'answer',
    wayOut: 'silence after the whole answer is a plain answer; write the status alone',
  },
  {
    word: 'seed',
    broken: ({ seed, chance, delay }) => seed !== undefined && chance === undefined && typeof delay !== 'object',
    wayOut: 'nothing in this step is random; add a chance or a range of delays, or leave the seed out',
  },
];

function names(headers: unknown, name: string, word: unknown): boolean {
  if (word === undefined || typeof headers !== 'object' || headers === null) return false;
  return Object.keys(headers).some((key) => key.toLowerCase() === name);
}
