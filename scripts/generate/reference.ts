import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { METHODS } from '../../server/http/document.ts';
import { curlOf, exampleRequest } from './example-request.ts';
import { redocly } from './redocly.ts';
import { ROOT } from './root.ts';

/** The page's code, as it lies in the tool that makes the pages. */
const REDOC = join(ROOT, 'node_modules/@redocly/cli/lib/chunks/redoc.standalone.js');
const REDOC_NAME = 'redoc.standalone.js';

type Json = Record<string, unknown>;

/**
 * Writes the reference into `target`: a page for each document, and the code that the pages share. The tool's pages load
 * that code from its maker; these load it from beside themselves, so that they work offline.
 */
export function writeReference(
  documents: readonly { readonly name: string; readonly file: string }[],
  target: string,
): void {
  mkdirSync(target, { recursive: true });
  writeFileSync(join(target, REDOC_NAME), readFileSync(REDOC));
  for (const { name, file } of documents) {
    const [shown, page] = [join(target, `${name}.json`), join(target, `${name}.html`)];
    writeFileSync(shown, JSON.stringify(withExamples(JSON.parse(readFileSync(file, 'utf8')))));
    redocly(['build-docs', shown, '--output', page]);
    rmSync(shown);
    writeFileSync(page, withoutNetwork(readFileSync(page, 'utf8'), name));
  }
}

/** The page, with the code from beside it. Its check sum stands in the page, and so shows whether it is the very same. */
export function withoutNetwork(page: string, name: string): string {
  const [url = '', integrity = ''] = /https:[^"]+redoc\.standalone\.js" integrity="([^"]+)/.exec(page) ?? [];
  const sum = `sha384-${createHash('sha384').update(readFileSync(REDOC)).digest('base64')}`;
  if (integrity !== sum)
    throw new Error(`the page of ${name} wants ${integrity || 'no known code'}, and ${REDOC} is ${sum}`);
  const local = page.replaceAll(url.slice(0, url.indexOf('"')), `./${REDOC_NAME}`);
  // Links that a reader follows may lead anywhere; what the browser loads by itself may not.
  if (/(?:<link[^>]+href=|src=|from |import\()"https?:/.test(local)) {
    throw new Error(`the page of ${name} loads something from the network`);
  }
  return local;
}

/** The document, with the example request of each operation as a command line. */
function withExamples(document: Json): Json {
  const server = String(Object(Object(document['servers'])[0])['url']);
  for (const [template, item] of Object.entries(objectAt(document, 'paths'))) {
    for (const method of METHODS) {
      const operation = Object(Object(item)[method]);
      if (!Object.hasOwn(operation, 'operationId') || !needsToken(operation)) continue;
      const media = objectAt(operation, 'requestBody', 'content', 'application/json');
      const parameters = [...listAt(Object(item)), ...listAt(operation)].map((one) => followed(document, one));
      const source = curlOf(exampleRequest({ method, template, parameters, bodyExample: media['example'] }), server);
      operation['x-codeSamples'] = [{ lang: 'Shell', label: 'curl', source }];
    }
  }
  return document;
}

function needsToken(operation: Json): boolean {
  return listAt(operation, 'security').some((requirement) => 'accessToken' in requirement);
}

function followed(document: Json, parameter: Json): { name: string; in: string; example?: unknown } {
  const reference = parameter['$ref'];
  const found = typeof reference === 'string' ? objectAt(document, ...reference.slice(2).split('/')) : parameter;
  return { name: String(found['name']), in: String(found['in']), example: found['example'] };
}

function objectAt(value: Json, ...steps: readonly string[]): Json {
  return steps.reduce<Json>((inner, step) => Object(inner[step] ?? {}), value);
}

function listAt(value: Json, field = 'parameters'): Json[] {
  const list = value[field];
  return Array.isArray(list) ? list : [];
}
