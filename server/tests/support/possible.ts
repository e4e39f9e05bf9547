/** Whether tests that need more than Node can run here; where they cannot, a line says what they need, and they are skipped. */
export function isPossible(isHere: boolean, needs: string, tell: (line: string) => void = console.warn): boolean {
  if (!isHere) tell(`Tests are skipped: they need ${needs}`);
  return isHere;
}
