#!/usr/bin/env node
/** The `waybill` command: what is done to a data folder while no router uses it. */
import { parseArgs } from 'node:util';
import type { Log } from '../ports/log.ts';
import { PRIVATE_UMASK } from '../storage/file/private-files.ts';
import { DataFolderUnusable } from '../storage/file/stores.ts';
import { createToken } from './token-create.ts';

const HELP = `Usage: waybill token create [--data-dir <folder>]

Creates an access token with write scope for all workspaces, and prints it. It
is the way back when every token is lost. No router may use the folder: stop it
first, or create the token through its API, POST /v1beta/access-tokens.

  --data-dir <folder>  default WAYBILL_DATA_DIR, or ./data
  --help               this text

Exit code: 0 when the token was created, 1 when the folder cannot be used, 2 for
a command that cannot be understood.
`;

/** Standard output is the token's alone. */
const stderrLog: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: (fields, message) => tell('warning', fields, message),
  error: (fields, message) => tell('error', fields, message),
};

// As the router does: what is written here is for this user alone (SAFE-3).
process.umask(PRIVATE_UMASK);
process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  const command = read(args);
  if (typeof command === 'string') return complain(`${command}\n\n${HELP}`, 2);
  if (command.help) {
    process.stdout.write(HELP);
    return 0;
  }
  try {
    process.stdout.write(`${await createToken(command.folder, stderrLog)}\n`);
    return 0;
  } catch (error) {
    if (!(error instanceof DataFolderUnusable)) throw error;
    const way = 'Tokens of a running router are created through its API: POST /v1beta/access-tokens.';
    return complain(`waybill: ${error.message}\n${way}\n`, 1);
  }
}

/** The command, or what is wrong with it. */
function read(args: readonly string[]): { readonly help: boolean; readonly folder: string } | string {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: { 'data-dir': { type: 'string' }, help: { type: 'boolean', short: 'h', default: false } },
      allowPositionals: true,
    });
    const isKnown = positionals.join(' ') === 'token create';
    if (!isKnown && !values.help) return `waybill: unknown command ${JSON.stringify(positionals.join(' '))}`;
    const folder = values['data-dir'] ?? process.env['WAYBILL_DATA_DIR'] ?? '';
    return { help: values.help, folder: folder === '' ? './data' : folder };
  } catch (error) {
    return `waybill: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function complain(text: string, exitCode: number): number {
  process.stderr.write(text);
  return exitCode;
}

function tell(level: string, fields: object, message: string): void {
  process.stderr.write(`${level}: ${message} ${JSON.stringify(fields)}\n`);
}
