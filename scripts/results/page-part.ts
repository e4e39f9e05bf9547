/** A page with one of its parts made anew: it stands between two marks, the first with its name. */
export function withPart(page: string, name: string, text: string): string {
  const part = new RegExp(`(<!-- ${name} -->\\n)[\\s\\S]*?(\\n<!-- end -->)`);
  if (!part.test(page)) throw new Error(`there is no part "${name}" in a page`);
  return page.replace(part, (_all, begin: string, end: string) => `${begin}\n${text}\n${end}`);
}
