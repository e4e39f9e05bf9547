import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import pc from 'picocolors';
import { USER_AGENT } from '../../server/delivery/request.ts';
import { certificatePage } from '../../testbed/certify/certificate-page.ts';
import { certify, hasPassed, type Result } from '../../testbed/certify/certify.ts';
import { junitReport } from '../../testbed/certify/junit.ts';
import { privateKeyIn, type SignedStatement, signStatement, throwAwayKey } from '../../testbed/certify/statement.ts';
import type { RunOptions } from './options.ts';

const CONTRACT = new URL('../../generated/config-api.json', import.meta.url);

/** Asks the receiver, writes what was asked for, and answers the exit code. */
export async function runCertify(options: RunOptions): Promise<number> {
  // Read first: a key that cannot be used is to show before anything is sent.
  const key = options.key === undefined ? throwAwayKey() : privateKeyIn(readFileSync(options.key, 'utf8'));
  const colors = pc.createColors(process.stdout.isTTY ? pc.isColorSupported : false);
  const startedAt = new Date().toISOString();
  const { url, secret, allowRemote, observer } = options;
  const results = await certify({
    url,
    secret,
    allowRemote,
    ...(observer === undefined ? {} : { observer }),
    onResult: (result) =>
      console.log(options.json ? JSON.stringify({ kind: 'scenario', ...result }) : line(result, colors)),
  });
  const signed = signStatement(
    {
      kind: 'waybill-receiver-certificate',
      version: 1,
      url: withoutQuery(url),
      engine: USER_AGENT,
      contract: createHash('sha256').update(readFileSync(CONTRACT)).digest('hex'),
      startedAt,
      passed: hasPassed(results),
      results: results.map(({ id, verdict, words }) => ({ id, verdict, words })),
    },
    key,
  );
  writeFiles(options, results, signed);
  console.log(options.json ? JSON.stringify({ kind: 'certificate', ...signed }) : summary(results, colors));
  return hasPassed(results) ? 0 : 1;
}

function writeFiles(options: RunOptions, results: readonly Result[], signed: SignedStatement): void {
  const { junit, html, statement } = options;
  if (junit !== undefined) writeFileSync(junit, junitReport(results, signed.statement.url));
  if (html !== undefined) writeFileSync(html, certificatePage(results, signed));
  if (statement !== undefined) writeFileSync(statement, `${JSON.stringify(signed, null, 2)}\n`);
}

function line({ verdict, title, words }: Result, colors: ReturnType<typeof pc.createColors>): string {
  switch (verdict) {
    case 'passed':
      return `${colors.green('✓')} ${title}\n  ${colors.dim(words)}`;
    case 'advice':
      return `${colors.yellow('!')} ${title}\n  ${colors.yellow(words)}`;
    case 'failed':
      return `${colors.red('✗')} ${colors.bold(title)}\n  ${colors.red(words)}`;
  }
}

function summary(results: readonly Result[], colors: ReturnType<typeof pc.createColors>): string {
  const count = (verdict: Result['verdict']) => results.filter((result) => result.verdict === verdict).length;
  const verdict = hasPassed(results)
    ? colors.green(colors.bold('The receiver keeps the contract.'))
    : colors.red(colors.bold('The receiver does not keep the contract.'));
  return `\n${verdict} ${count('passed')} passed, ${count('advice')} with advice, ${count('failed')} failed.`;
}

/** A query string may hold a token. */
function withoutQuery(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}
