/** So many destinations, of which the last hang where some do. */
export const [DESTINATIONS, HANGING] = [100, 10] as const;
export const HEALTHY = DESTINATIONS - HANGING;

/** The webhooks of the destinations; with `isBeside`, the last ones never answer. */
export function webhooks(url: string, isBeside: boolean): string[] {
  return Array.from({ length: DESTINATIONS }, (_, index) => {
    const does = isBeside && index >= HEALTHY ? 'hang' : 'ok';
    return `${url}/${does}/${index}`;
  });
}
