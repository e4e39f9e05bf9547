import { parseArgs, type ParseArgsConfig } from 'node:util';
import { nearest } from '../nearest.ts';
import { messageOf } from '../thrown.ts';

/** As `parseArgs`. Of a flag that does not exist, its error names the one that was most likely meant, or all. */
export function parseFlags<const Config extends ParseArgsConfig>(config: Config): ReturnType<typeof parseArgs<Config>> {
  try {
    return parseArgs(config);
  } catch (cause) {
    const words = messageOf(cause);
    throw new Error(withNearest(words, Object.keys(config.options ?? {})), { cause });
  }
}

function withNearest(words: string, known: readonly string[]): string {
  const [, flag] = /^Unknown option '(-[^']*)'/.exec(words) ?? [];
  if (flag === undefined) return words;
  const guess = nearest(flag.replace(/^-+/, ''), known);
  const all = known.map((name) => `--${name}`).join(', ');
  return `${flag} is no flag; ${guess === undefined ? `the flags are ${all}` : `did you mean --${guess}?`}`;
}
