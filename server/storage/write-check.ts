/** One thing that has to be writable for what requests bring to be stored. */
export interface WriteCheck {
  /** As operators know it: `delivery store`. */
  readonly name: string;
  /** Really writes, a little; rejects with why it cannot, in words that anybody may read. */
  readonly attempt: () => Promise<void>;
}
