/** Whose items are erased: users, in a workspace or a source. */
export interface ErasedUsers {
  readonly scope: string;
  readonly userIds: readonly string[];
}

/** Takes from the last items what names a user (AUD-9). What is counted stays, under no name where that names a user. */
export interface ItemEraser {
  eraseItems(users: ErasedUsers): Promise<void>;
}

const WORD = /[\p{L}\p{N}]/u;

/**
 * Whether a text of an item, of which nobody knows the user, has one of these ids as a word of its own. A text is read once, and not
 * once for each of thousands of ids: everybody waits for it.
 */
export function namesOneOf(userIds: readonly string[]): (item: object) => boolean {
  const ids = new Set(userIds.filter((id) => id !== ''));
  const lengths = [...new Set(Array.from(ids, ({ length }) => length))];
  const hasOne = (text: string): boolean => {
    const edges = edgesOf(text);
    const isEdge = new Set(edges);
    // A word begins behind an edge, and ends before one.
    return [0, ...edges.map((at) => at + 1)].some((from) =>
      lengths.some((length) => isEdge.has(from + length) && ids.has(text.slice(from, from + length))),
    );
  };
  return (item) =>
    Object.entries(item).some(([key, text]) => typeof text === 'string' && key !== 'receivedAt' && hasOne(text));
}

/** Where there is no letter and no digit, the end included; half of a pair of UTF-16 is none. */
function edgesOf(text: string): readonly number[] {
  return Array.from({ length: text.length + 1 }, (_, at) => at).filter((at) => !WORD.test(text.charAt(at)));
}
