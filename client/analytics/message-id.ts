/** Each x is four random bits; the 8 keeps its first two, and gets two. */
const UUID = 'xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx';

/** A UUID of version 4 from the runtime's own generator; browsers have `randomUUID` on secure pages only. */
export function newMessageId(): string {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID();
  return UUID.replace(/[x8]/g, (digit) => {
    const [random = 0] = crypto.getRandomValues(new Uint8Array(1));
    return (digit === 'x' ? random & 15 : 8 | (random & 3)).toString(16);
  });
}
