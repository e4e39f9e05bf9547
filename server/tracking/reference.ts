/** What a pointer of RFC 6901 behind a `#` leads to; undefined when there is nothing. */
export function lookUp(root: unknown, reference: string): unknown {
  let place = root;
  for (const step of stepsOf(reference)) {
    if (step === undefined || typeof place !== 'object' || place === null || !Object.hasOwn(place, step))
      return undefined;
    place = Reflect.get(place, step);
  }
  return place;
}

/** A step that is no percent-encoded text leads nowhere. */
function stepsOf(reference: string): (string | undefined)[] {
  return pointerSteps(reference.slice(1)).map((step) => {
    try {
      return decodeURIComponent(step);
    } catch {
      return undefined;
    }
  });
}

/** `/a~1b/0` → `a/b`, `0`. */
export function pointerSteps(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}
