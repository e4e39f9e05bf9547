import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { USER_AGENT } from '../../../server/delivery/webhook-request.ts';
import { certify, type Result } from '../../certify/certify.ts';
import { signStatement } from '../../certify/statement.ts';
import { hasPassed } from '../../certify/verdicts.ts';
import { schemeOf } from '../../schemes/schemes.ts';
import { readyToCertify, say, tellCertificate, terminalStyle } from './certificate.ts';
import { readText } from './files.ts';
import { groupLines, headLines, resultLines, type Style } from './lines.ts';
import type { RunOptions } from './options.ts';

const CONTRACT = new URL('../../../generated/config-api.json', import.meta.url);
const HOW = `Deliveries are made, signed and sent by the engine of production. It calls itself ${USER_AGENT}.`;

/** Asks the receiver, writes what was asked for, and answers the exit code. */
export async function runCertify(options: RunOptions): Promise<number> {
  const key = readyToCertify(options);
  const startedAt = new Date().toISOString();
  const style = terminalStyle();
  const event = options.event === undefined ? undefined : readText(options.event);
  const results = await ask(options, event, style);
  const signed = signStatement(
    {
      kind: 'waybill-receiver-certificate',
      version: 1,
      url: withoutQuery(options.url),
      ...(options.event === undefined ? {} : { scheme: schemeOf(options.scheme).name }),
      engine: USER_AGENT,
      contract: createHash('sha256').update(readFileSync(CONTRACT)).digest('hex'),
      startedAt,
      passed: hasPassed(results),
      results: results.map(({ id, verdict, words }) => ({ id, verdict, words })),
    },
    key,
  );
  return tellCertificate(options, results, signed, style);
}

async function ask(options: RunOptions, event: string | undefined, style: Style): Promise<readonly Result[]> {
  const { url, secret, scheme, headers, idField, allowRemote, observer, json } = options;
  let last = '';
  return certify({
    url,
    secret,
    headers,
    allowRemote,
    ...(scheme === undefined ? {} : { scheme }),
    ...(event === undefined ? {} : { event }),
    ...(idField === undefined ? {} : { idField }),
    ...(observer === undefined ? {} : { observer }),
    onResult: (result) => {
      if (json) return say([JSON.stringify({ kind: 'scenario', ...result })]);
      // For people the summary says once what became of these.
      if (result.verdict === 'not-judged') return;
      // Said with the first result: a receiver that may not be asked has none.
      if (last === '') say(headLines(withoutQuery(url), HOW, style));
      if (result.group !== last) say(groupLines(result.group, style));
      last = result.group;
      say(resultLines(result, style));
    },
  });
}

/** A query string may hold a token. */
function withoutQuery(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}
