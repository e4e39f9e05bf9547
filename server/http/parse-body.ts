import { ApiError } from './errors.ts';
import { messageOf } from '../thrown.ts';

/** Reads the text of a body as JSON; throws a SyntaxError when it is none. */
export type ParseText = (text: string) => unknown;

/** Parses JSON; an empty body reads as an empty object, so that the schema says what is missing. */
export function parseJson(body: Buffer, parse: ParseText = JSON.parse): unknown {
  if (body.length === 0) return {};
  try {
    return parse(body.toString('utf8'));
  } catch (error) {
    const reason = messageOf(error);
    throw new ApiError('InvalidArgument', `the body is not valid JSON: ${reason.slice(0, 200)}`, { cause: error });
  }
}

const [QUOTE, BACKSLASH, COMMA, LIST, OBJECT, END_OF_OBJECT, COLON] = Buffer.from('"\\,[{}:');

/** Of one object. What is known has some dozens, what senders name some hundreds. */
const MAX_FIELDS = 10_000;

/**
 * Refuses a body of more values, before it is parsed: what each of them takes until its request is answered, in time and in memory, is
 * many times what its bytes take (SAFE-2). A field of an object that has very many takes 9 µs, where others take less than one.
 */
export function refuseManyValues(body: Buffer, most: number): void {
  if (body.length <= MAX_FIELDS) return;
  let [values, isText] = [0, false];
  /** Fields so far, of each object that is open. */
  const open: number[] = [];
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at];
    if (byte === QUOTE) isText = !isText;
    else if (isText) at += byte === BACKSLASH ? 1 : 0;
    else if (byte === COMMA || byte === LIST) values += 1;
    else if (byte === OBJECT) {
      values += 1;
      open.push(0);
    } else if (byte === END_OF_OBJECT) open.pop();
    else if (byte === COLON) open.push(oneMore(open.pop()));
  }
  if (values > most) throw new ApiError('InvalidArgument', `the body holds ${values} values, and may hold ${most}`);
}

function oneMore(fields = 0): number {
  if (fields < MAX_FIELDS) return fields + 1;
  throw new ApiError('InvalidArgument', `an object of the body has more than ${MAX_FIELDS} fields`);
}

/** Parses a form; of a field that is there twice the last one counts. */
export function parseForm(body: Buffer): unknown {
  return Object.fromEntries(new URLSearchParams(body.toString('utf8')));
}
