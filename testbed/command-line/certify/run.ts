import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import pc from 'picocolors';
import { USER_AGENT } from '../../../server/delivery/webhook-request.ts';
import { certificatePage } from '../../certify/certificate-page.ts';
import { certify, type Result } from '../../certify/certify.ts';
import { junitReport } from '../../certify/junit.ts';
import { privateKeyIn, type SignedStatement, signStatement, throwAwayKey } from '../../certify/statement.ts';
import { hasPassed } from '../../certify/verdicts.ts';
import { checkWritable, readText, writeText } from './files.ts';
import { groupLines, headLines, resultLines, type Style, summaryLines } from './lines.ts';
import type { RunOptions } from './options.ts';

const CONTRACT = new URL('../../../generated/config-api.json', import.meta.url);
/** A file has no width; this is what most windows can show. */
const PLAIN_WIDTH = 120;

/** Asks the receiver, writes what was asked for, and answers the exit code. */
export async function runCertify(options: RunOptions): Promise<number> {
  // Looked at first: a key or a file that cannot be used is to show before anything is sent.
  const key = options.key === undefined ? throwAwayKey() : privateKeyIn(readText(options.key));
  for (const file of filesOf(options)) checkWritable(file);
  const startedAt = new Date().toISOString();
  const style = terminalStyle();
  const event = options.event === undefined ? undefined : readText(options.event);
  const results = await ask(options, event, style);
  const signed = signStatement(
    {
      kind: 'waybill-receiver-certificate',
      version: 1,
      url: withoutQuery(options.url),
      ...(options.event === undefined ? {} : { scheme: options.scheme }),
      engine: USER_AGENT,
      contract: createHash('sha256').update(readFileSync(CONTRACT)).digest('hex'),
      startedAt,
      passed: hasPassed(results),
      results: results.map(({ id, verdict, words }) => ({ id, verdict, words })),
    },
    key,
  );
  if (options.json) say([JSON.stringify({ kind: 'certificate', ...signed })]);
  else say(summaryLines(results, style));
  writeFiles(options, results, signed);
  return hasPassed(results) ? 0 : 1;
}

async function ask(options: RunOptions, event: string | undefined, style: Style): Promise<readonly Result[]> {
  const { url, secret, scheme, headers, idField, allowRemote, observer, json } = options;
  let last = '';
  return certify({
    url,
    secret,
    scheme,
    headers,
    allowRemote,
    ...(event === undefined ? {} : { event }),
    ...(idField === undefined ? {} : { idField }),
    ...(observer === undefined ? {} : { observer }),
    onResult: (result) => {
      if (json) return say([JSON.stringify({ kind: 'scenario', ...result })]);
      // For people the summary says once what became of these.
      if (result.verdict === 'not-judged') return;
      // Said with the first result: a receiver that may not be asked has none.
      if (last === '') say(headLines(withoutQuery(url), USER_AGENT, style));
      if (result.group !== last) say(groupLines(result.group, style));
      last = result.group;
      say(resultLines(result, style));
    },
  });
}

function filesOf({ junit, html, statement }: RunOptions): readonly string[] {
  return [junit, html, statement].filter((file) => file !== undefined);
}

function writeFiles(options: RunOptions, results: readonly Result[], signed: SignedStatement): void {
  const { junit, html, statement } = options;
  if (junit !== undefined) writeText(junit, junitReport(results, signed.statement.url));
  if (html !== undefined) writeText(html, certificatePage(results, signed));
  if (statement !== undefined) writeText(statement, `${JSON.stringify(signed, null, 2)}\n`);
  const files = filesOf(options);
  if (files.length > 0 && !options.json) say([`Written: ${files.join(', ')}`]);
}

function terminalStyle(): Style {
  const { stdout } = process;
  return {
    colors: pc.createColors(stdout.isTTY ? pc.isColorSupported : false),
    // Some terminals do not know their width, and say 0.
    width: stdout.isTTY && stdout.columns > 0 ? stdout.columns : PLAIN_WIDTH,
  };
}

function say(lines: readonly string[]): void {
  console.log(lines.join('\n'));
}

/** A query string may hold a token. */
function withoutQuery(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}
