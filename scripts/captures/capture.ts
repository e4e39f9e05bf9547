import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../generate/root.ts';

/** A folder for each client, with what it put on the wire, and what webhooks got of it. */
export const CAPTURES = join(ROOT, 'server/tests/compliance/captures');

/** The write key that every capture was made with. */
export const WRITE_KEY = 'captureKey0123456789captureKey01';

/** `about.json`: where the requests of a capture come from. */
export interface About {
  readonly package: string;
  readonly version: string;
  /** `recorded`: the bytes of the package itself. `composed`: written by hand as the package is known to send them. */
  readonly origin: 'recorded' | 'composed';
  /** What ran the package; of composed ones, what they show. */
  readonly note: string;
  /** How many events reach a webhook. */
  readonly events: number;
}

export interface Capture {
  readonly name: string;
  readonly about: About;
  /** The bytes of each request, in the order in which they were sent: request line, headers and body. */
  readonly requests: readonly Buffer[];
  /** What webhooks got, as `deliveriesText` writes it; empty before it was recorded. */
  readonly expected: string;
}

export function readCaptures(): Capture[] {
  const names = readdirSync(CAPTURES, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return names.map(({ name }) => readCapture(join(CAPTURES, name), name));
}

function readCapture(folder: string, name: string): Capture {
  // Written by the recorder, or by hand beside the requests.
  const about: About = JSON.parse(readFileSync(join(folder, 'about.json'), 'utf8'));
  const files = readdirSync(folder)
    .filter((file) => file.endsWith('.http'))
    .toSorted();
  const expected = join(folder, 'delivered.json');
  return {
    name,
    about,
    requests: files.map((file) => readFileSync(join(folder, file))),
    expected: existsSync(expected) ? readFileSync(expected, 'utf8') : '',
  };
}
