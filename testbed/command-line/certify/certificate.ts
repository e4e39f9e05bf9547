import type { KeyObject } from 'node:crypto';
import pc from 'picocolors';
import { certificatePage } from '../../certify/certificate-page.ts';
import type { Result } from '../../certify/certify.ts';
import { junitReport } from '../../certify/junit.ts';
import { privateKeyIn, type SignedStatement, throwAwayKey } from '../../certify/statement.ts';
import { hasPassed } from '../../certify/verdicts.ts';
import { checkWritable, readText, writeText } from './files.ts';
import { type Style, summaryLines } from './lines.ts';

/** Where a certificate goes, whoever it is about. */
export interface CertificateFlags {
  /** Files to write. */
  readonly junit?: string;
  readonly html?: string;
  readonly statement?: string;
  /** A file with a private ed25519 key in PEM. */
  readonly key?: string;
  readonly json: boolean;
}

/** A file has no width; this is what most windows can show. */
const PLAIN_WIDTH = 120;

/** Looked at first: a key or a file that cannot be used is to show before anything is sent. Answers the key. */
export function readyToCertify(flags: CertificateFlags): KeyObject {
  const key = flags.key === undefined ? throwAwayKey() : privateKeyIn(readText(flags.key));
  for (const file of filesOf(flags)) checkWritable(file);
  return key;
}

/** Writes what was asked for, and answers the exit code. The picture is for the page. */
export function tellCertificate(
  flags: CertificateFlags,
  results: readonly Result[],
  signed: SignedStatement,
  style: Style,
  picture?: string,
): number {
  const { junit, html, statement, json } = flags;
  if (json) say([JSON.stringify({ kind: 'certificate', ...signed })]);
  else say(summaryLines(results, style, signed.statement.kind));
  if (junit !== undefined) writeText(junit, junitReport(results, signed.statement.url));
  if (html !== undefined) writeText(html, certificatePage(results, signed, picture));
  if (statement !== undefined) writeText(statement, `${JSON.stringify(signed, null, 2)}\n`);
  const files = filesOf(flags);
  if (files.length > 0 && !json) say([`Written: ${files.join(', ')}`]);
  return hasPassed(results) ? 0 : 1;
}

function filesOf({ junit, html, statement }: CertificateFlags): readonly string[] {
  return [junit, html, statement].filter((file) => file !== undefined);
}

export function terminalStyle(): Style {
  const { stdout } = process;
  return {
    colors: pc.createColors(stdout.isTTY ? pc.isColorSupported : false),
    // Some terminals do not know their width, and say 0.
    width: stdout.isTTY && stdout.columns > 0 ? stdout.columns : PLAIN_WIDTH,
  };
}

export function say(lines: readonly string[]): void {
  console.log(lines.join('\n'));
}
