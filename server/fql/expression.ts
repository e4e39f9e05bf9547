import type { FunctionName } from './functions.ts';

export const COMPARISONS = ['=', '!=', '>', '>=', '<', '<='] as const;

export type Comparison = (typeof COMPARISONS)[number];

/** A condition as a tree. */
export type Expression =
  /** Nothing was written: it holds for no event. */
  | { readonly kind: 'never' }
  | { readonly kind: 'all' }
  | { readonly kind: 'literal'; readonly value: string | number | boolean | null }
  | { readonly kind: 'path'; readonly steps: readonly string[] }
  | { readonly kind: 'list'; readonly items: readonly Expression[] }
  | { readonly kind: 'call'; readonly name: FunctionName; readonly args: readonly Expression[] }
  | { readonly kind: 'not'; readonly of: Expression }
  | { readonly kind: 'and' | 'or'; readonly left: Expression; readonly right: Expression }
  | { readonly kind: 'compare'; readonly operator: Comparison; readonly left: Expression; readonly right: Expression }
  | { readonly kind: 'in'; readonly left: Expression; readonly right: Expression };
