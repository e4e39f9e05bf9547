export const SYMBOLS = ['!=', '>=', '<=', '=', '>', '<', '!', '(', ')', '[', ']', ','] as const;

export type SymbolText = (typeof SYMBOLS)[number];

/** A piece of a condition, with the column of its first character. */
export type Token =
  | { readonly kind: 'symbol'; readonly text: SymbolText; readonly column: number }
  | { readonly kind: 'string'; readonly value: string; readonly column: number }
  | { readonly kind: 'number'; readonly value: number; readonly column: number }
  /** A path, a keyword or the name of a function: which of them, the grammar says. */
  | { readonly kind: 'path'; readonly steps: readonly string[]; readonly plain: string; readonly column: number }
  | { readonly kind: 'end'; readonly column: number };
