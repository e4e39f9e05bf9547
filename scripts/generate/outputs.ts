import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createClient } from '@hey-api/openapi-ts';
import openapiTS, { astToString } from 'openapi-typescript';
import { configurationSchema } from '../../cli/configuration/schema.ts';
import { redocly } from './redocly.ts';
import { writeReference } from './reference.ts';
import { ROOT } from './root.ts';

export { ROOT };

/** The contracts, by the name that redocly.yaml gives them. */
const DOCUMENTS = ['config-api', 'ingestion-api', 'receiver-control'] as const;
/** Those that the router serves, and shows the reference of. */
const SERVED = ['config-api', 'ingestion-api'] as const satisfies readonly (typeof DOCUMENTS)[number][];

const MARKER = '// Written by `npm run generate` from the documents in openapi/. Do not edit.\n\n';

/**
 * Lints the documents and writes everything that is made of them into `target`: the bundled JSON, the compile-time
 * shapes (openapi-typescript), the run-time code (@hey-api/openapi-ts), and the reference for readers (Redoc). Throws
 * with the tool's own words when a document is not valid.
 */
export async function writeOutputs(target: string): Promise<void> {
  mkdirSync(target, { recursive: true });
  redocly(['lint', ...DOCUMENTS]);
  for (const name of DOCUMENTS) {
    redocly(['bundle', name, '--output', join(target, `${name}.json`)]);
    await writeTypes(join(target, `${name}.json`), join(target, `${name}.d.ts`));
  }
  await writeRuntime(join(target, 'config-api.json'), join(target, 'runtime'));
  writeConfigurationSchema(join(target, 'config-api.json'), join(target, 'waybill.schema.json'));
  writeReference(
    SERVED.map((name) => ({ name, file: join(target, `${name}.json`) })),
    join(target, 'docs'),
  );
}

/** What editors check waybill.yaml with. */
function writeConfigurationSchema(document: string, target: string): void {
  const schema = configurationSchema(JSON.parse(readFileSync(document, 'utf8')));
  writeFileSync(target, `${JSON.stringify(schema, null, 2)}\n`);
}

async function writeTypes(document: string, target: string): Promise<void> {
  const ast = await openapiTS(pathToFileURL(document), { silent: true });
  writeFileSync(target, MARKER + astToString(ast));
}

/** The validators and mocks for client and testbed: an independent reading of the document that the server serves. */
async function writeRuntime(document: string, target: string): Promise<void> {
  await createClient({
    // A path without a leading dot would be taken for the name of a document in an online registry.
    input: `./${relative(process.cwd(), document)}`,
    output: { path: target, entryFile: false, module: { extension: '.ts' } },
    logs: { file: false, level: 'silent' },
    plugins: ['@hey-api/typescript', 'valibot', 'msw'],
  });
  uncheck(join(target, 'msw.gen.ts'));
}

/** Its own body does not compile with exactOptionalPropertyTypes; its types do, and are checked where they are used. */
function uncheck(file: string): void {
  writeFileSync(file, `// @ts-nocheck\n${readFileSync(file, 'utf8')}`);
}

/** The text of a file, or undefined when there is none. */
export function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
