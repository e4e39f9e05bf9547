import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runRedocly } from '../generate/redocly.ts';
import { webhookBreaks } from './webhook-breaks.ts';

const RULES = fileURLToPath(new URL('redocly-diff.yaml', import.meta.url));

interface Place {
  readonly pointer: string;
}

interface Report {
  readonly changes: readonly {
    readonly path: string;
    readonly impact: string;
    readonly base?: Place;
    readonly verdicts: readonly { readonly message: string; readonly impact: string }[];
  }[];
}

/**
 * What in a bundled document would break those who were built for its released copy (CFG-23): clients by `redocly diff`,
 * receivers of webhooks by a check of our own beside it, since that tool takes a removed variant or header for harmless.
 */
export function contractBreaks(released: string, current: string): string[] {
  return [...new Set([...reportedBreaks(released, current), ...webhookBreaks(read(released), read(current))])];
}

function reportedBreaks(released: string, current: string): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-diff-'));
  try {
    const output = join(folder, 'report.json');
    const options = ['--config', RULES, '--fail-on', 'major', '--format', 'json', '--output', output];
    const { passed, text } = runRedocly(['diff', released, current, ...options]);
    // The tool documents the shape of its report.
    const report: Report = JSON.parse(readFileSync(output, 'utf8'));
    const breaks = majorOf(report);
    // The exit code and the report come from one tool; if they ever disagree, nothing may pass in silence.
    if (!passed && breaks.length === 0) throw new Error(`redocly diff failed without a major change:\n${text}`);
    return breaks;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * The place is the one in the released document, which stays the same until the next release. The tool's own path
 * names the first use of a shared schema, and so it moves when an operation is added.
 */
function majorOf({ changes }: Report): string[] {
  return changes
    .filter(({ impact }) => impact === 'major')
    .flatMap(({ path, base, verdicts }) =>
      verdicts.filter(({ impact }) => impact === 'major').map(({ message }) => `${base?.pointer ?? path}: ${message}`),
    );
}

function read(file: string): Record<string, unknown> {
  return JSON.parse(readFileSync(file, 'utf8'));
}
