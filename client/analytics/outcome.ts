/** How one request ended. */
export type Outcome =
  | {
      readonly kind: 'answered';
      readonly status: number;
      /** The `Retry-After` header as it came. */
      readonly retryAfter: string | null;
      /** The first characters of the answer's body. */
      readonly excerpt: string;
    }
  | { readonly kind: 'unanswered'; readonly why: string };
