import { readFileSync } from 'node:fs';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';

/**
 * What attw finds by choice. `NoResolution` in `node10`, the resolution of before 2022, which knows no `exports`: all of
 * TypeScript's present ones do. `CJSResolvesToESM`: the packages are ESM alone, and the Node that they need can `require` that.
 */
export const BY_CHOICE: ReadonlySet<string> = new Set(['NoResolution node10', 'CJSResolvesToESM node16-cjs']);

/** What publint and attw find in a packed package, suggestions included, but for what is so by choice. */
export async function packageProblems(tarball: string): Promise<readonly string[]> {
  const { messages } = await publint({ strict: true, pack: { tarball: bytesOf(tarball).buffer } });
  const types = await typeProblems(tarball);
  return [...messages.map(({ code }) => code), ...types.filter((problem) => !BY_CHOICE.has(problem))];
}

export async function typeProblems(tarball: string): Promise<readonly string[]> {
  const analysis = await checkPackage(createPackageFromTarballData(bytesOf(tarball)));
  if (analysis.types === false) return ['no types'];
  return analysis.problems.map((each) => `${each.kind} ${'resolutionKind' in each ? each.resolutionKind : ''}`);
}

function bytesOf(file: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(readFileSync(file));
}
