import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One small edit of the source that breaks a rule. */
export interface Mutant {
  readonly rule: string;
  readonly file: string;
  /** Stands exactly once in the file. */
  readonly find: string;
  readonly replace: string;
  /** What the router or the library does wrong then, in one line. */
  readonly breaks: string;
}

/** The text of the file with its edit; throws when what is to be replaced does not stand there exactly once. */
export function mutated({ rule, file, find, replace }: Mutant, text: string): string {
  const [before, after, ...more] = text.split(find);
  if (before === undefined || after === undefined || more.length > 0) {
    const count = text.split(find).length - 1;
    throw new Error(
      `stale mutant of ${rule}: ${JSON.stringify(find)} stands ${count} times in ${file}, not once; ` +
        `bring "find" in scripts/prove/mutants/ to the present text of that file`,
    );
  }
  return before + replace + after;
}

/** What is wrong with the mutants as data; nothing is run for it. */
export function mutantFaults(mutants: readonly Mutant[], rules: readonly string[], root: string): string[] {
  const known = new Set(rules);
  const covered = new Set(mutants.map(({ rule }) => rule));
  return [
    ...rules
      .filter((rule) => !covered.has(rule))
      .map((rule) => `${rule} has no mutant: add one to scripts/prove/mutants/, then npm run prove -- --rule ${rule}`),
    ...mutants
      .filter(({ rule }) => !known.has(rule))
      .map(({ rule }) => `a mutant is of ${rule}, which docs/rules.md does not have, or lists as not proven yet`),
    ...mutants.flatMap((mutant) => staleness(mutant, root)),
  ];
}

function staleness(mutant: Mutant, root: string): string[] {
  if (mutant.find === mutant.replace) return [`a mutant of ${mutant.rule} changes nothing: ${mutant.breaks}`];
  try {
    mutated(mutant, readFileSync(join(root, mutant.file), 'utf8'));
    return [];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}
