import { ApiError } from './errors.ts';

/** Reads the text of a body as JSON; throws a SyntaxError when it is none. */
export type ParseText = (text: string) => unknown;

/** Parses JSON; an empty body reads as an empty object, so that the schema says what is missing. */
export function parseJson(body: Buffer, parse: ParseText = JSON.parse): unknown {
  if (body.length === 0) return {};
  try {
    return parse(body.toString('utf8'));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ApiError('InvalidArgument', `the body is not valid JSON: ${reason.slice(0, 200)}`, { cause: error });
  }
}

/** Parses a form; of a field that is there twice the last one counts. */
export function parseForm(body: Buffer): unknown {
  return Object.fromEntries(new URLSearchParams(body.toString('utf8')));
}
