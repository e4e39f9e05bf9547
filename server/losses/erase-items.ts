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

/** Whether a text of an item, of which nobody knows the user, has one of these ids as a word of its own. */
export function namesOneOf(userIds: readonly string[]): (item: object) => boolean {
  const ids = userIds.filter((id) => id !== '');
  return (item) => {
    const texts = Object.entries(item).flatMap(([key, text]) =>
      typeof text === 'string' && key !== 'receivedAt' ? [text] : [],
    );
    return ids.some((id) => texts.some((text) => hasWord(text, id)));
  };
}

function hasWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const [before, behind] = [text.slice(0, at).at(-1) ?? '', text.charAt(at + word.length)];
    if (!WORD.test(before) && !WORD.test(behind)) return true;
  }
  return false;
}
