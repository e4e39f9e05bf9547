import type { Header, Received } from '../receiver/received.ts';

/** A request as it was recorded: enough to send it again, byte for byte. */
export interface Recorded {
  readonly at: string;
  readonly method: string;
  readonly path: string;
  readonly headers: readonly Header[];
  readonly body: Uint8Array;
}

/** One line of a recording. Header values are in it, credentials included: that is what makes it replayable. */
export function recordingLine({ at, ...request }: Received): string {
  return recordedLine({ ...request, at: new Date(at).toISOString() });
}

/** The line of a request that was recorded already. */
export function recordedLine({ at, method, path, headers, body }: Recorded): string {
  return JSON.stringify({ at, method, path, headers, bodyBase64: Buffer.from(body).toString('base64') });
}

/** Reads a recording; throws a SyntaxError for the first line that is none, by its number. */
export function readRecording(text: string): readonly Recorded[] {
  return text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return [];
    const recorded = recordedIn(line);
    if (recorded !== undefined) return [recorded];
    throw new SyntaxError(`Line ${index + 1} of the recording is no recorded request: ${shown(line)}`);
  });
}

/** Enough to find the line; what else stands in it may be a header's secret. */
function shown(line: string): string {
  const beginning = line.slice(0, 40).replaceAll(/\p{Cc}/gu, '?');
  return line.length > 40 ? `${beginning}…` : beginning;
}

function recordedIn(line: string): Recorded | undefined {
  try {
    const value: unknown = JSON.parse(line);
    if (!isLine(value)) return undefined;
    const { at, method, path, headers, bodyBase64 } = value;
    return { at, method, path, headers, body: Buffer.from(bodyBase64, 'base64') };
  } catch {
    return undefined;
  }
}

interface Line extends Omit<Recorded, 'body'> {
  readonly bodyBase64: string;
}

function isLine(value: unknown): value is Line {
  if (typeof value !== 'object' || value === null) return false;
  if (!('at' in value && 'method' in value && 'path' in value && 'headers' in value && 'bodyBase64' in value))
    return false;
  const texts = [value.at, value.method, value.path, value.bodyBase64];
  return (
    texts.every((text) => typeof text === 'string') && Array.isArray(value.headers) && value.headers.every(isHeader)
  );
}

function isHeader(value: unknown): value is Header {
  return Array.isArray(value) && value.length === 2 && value.every((text) => typeof text === 'string');
}
