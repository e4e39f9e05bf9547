import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { dataOf } from '../../../client/config/server-sent-events.ts';

const DOCUMENT = new URL('../../../generated/receiver-control.json', import.meta.url);

interface Raw {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly responses: Readonly<Record<string, Part>> }>>>
  >;
}

interface Part {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, { readonly schema: object }>>;
}

export interface Asked {
  readonly status: number;
  // What it holds is for the test to say; that it is as documented has been checked.
  readonly body: Record<string, unknown>;
}

/** The document as a judge of answers, read by a tool that the server does not use. */
export class ControlContract {
  readonly #document: Raw = JSON.parse(readFileSync(DOCUMENT, 'utf8'));
  readonly #ajv = addFormats.default(new Ajv2020({ strict: false })).addSchema({ $id: 'doc', ...this.#document });
  /** `GET /v1/receiver 200`, for every answer that was checked. */
  readonly seen = new Set<string>();

  /** All answers that the document has. */
  get answers(): readonly string[] {
    return Object.entries(this.#document.paths).flatMap(([template, methods]) =>
      Object.entries(methods).flatMap(([method, { responses }]) =>
        Object.keys(responses).map((status) => `${method.toUpperCase()} ${template} ${status}`),
      ),
    );
  }

  /** What is wrong with a value that ought to be of a schema of the document; undefined when nothing is. */
  faultOf(schema: string, value: unknown): string | undefined {
    const check = this.#ajv.compile({ $ref: `doc#/components/schemas/${schema}` });
    return check(value) ? undefined : this.#ajv.errorsText(check.errors);
  }

  /** Asks, and throws unless the answer is one that the document has for the address. */
  async ask(url: string, method: string, path: string, init: RequestInit = {}): Promise<Asked> {
    const answer = await fetch(url + path, { method, ...init });
    const body: Record<string, unknown> = JSON.parse(await textOf(answer));
    this.check(method, path, answer.status, body);
    return { status: answer.status, body };
  }

  check(method: string, path: string, status: number, body: unknown): void {
    const template = this.#templateOf(path.replace(/\?.*/s, ''));
    const pointer = ['paths', template, method.toLowerCase(), 'responses', String(status)];
    const part = this.#document.paths[template]?.[method.toLowerCase()]?.responses[String(status)];
    if (part === undefined) throw new Error(`${method} ${template} has no answer ${status}: ${JSON.stringify(body)}`);
    const place = part.$ref ?? `#/${pointer.map(escape).join('/')}`;
    const kind = escape(Object.keys(part.content ?? {})[0] ?? 'application/json');
    const check = this.#ajv.compile({ $ref: `doc${place}/content/${kind}/schema` });
    if (!check(body)) throw new Error(`${method} ${template} ${status}: ${this.#ajv.errorsText(check.errors)}`);
    this.seen.add(`${method} ${template} ${status}`);
  }

  #templateOf(path: string): string {
    const found = Object.keys(this.#document.paths).find((template) =>
      new RegExp(`^${template.replaceAll('.', String.raw`\.`).replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path),
    );
    return found ?? path;
  }
}

/** A step of a JSON pointer, in a URL's fragment. */
function escape(step: string): string {
  return encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'));
}

/** Of a stream, its first message. */
async function textOf(answer: Response): Promise<string> {
  if (answer.headers.get('content-type') !== 'text/event-stream' || answer.body === null) return answer.text();
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  for await (const data of dataOf(() => reader.read())) {
    await reader.cancel();
    return data;
  }
  throw new Error('the stream ended before its first message');
}
