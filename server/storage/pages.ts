/** Page after page, to the last one. The next is read while one is used; whoever does not go on never hears of it. */
export async function* pagesOf<Page>(
  read: (before: Page | undefined) => Promise<Page>,
  isLast: (page: Page) => boolean,
): AsyncGenerator<Page, void> {
  let reading = read(undefined);
  for (;;) {
    const page = await reading;
    const isOver = isLast(page);
    if (!isOver) {
      reading = read(page);
      // It may be over before anybody waits for it.
      reading.catch(() => undefined);
    }
    yield page;
    if (isOver) return;
  }
}
