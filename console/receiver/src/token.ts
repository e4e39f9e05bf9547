const KEY = 'waybill.receiver.token';
const GIVEN = /^#token=([\w-]+)$/;

/** The token of the address that the receiver printed. It leaves the address at once, and stays for as long as the tab. */
export function takeToken(
  { hash }: Pick<Location, 'hash'>,
  history: Pick<History, 'replaceState'>,
  storage: Pick<Storage, 'getItem' | 'setItem'>,
): string {
  const given = GIVEN.exec(hash)?.[1];
  if (given === undefined) return storage.getItem(KEY) ?? '';
  storage.setItem(KEY, given);
  history.replaceState(null, '', '/');
  return given;
}
