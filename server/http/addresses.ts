import type { Asked } from './asked.ts';
import { operationsOf } from './document.ts';
import { type Api, type Steps, stepsOf } from './operation-steps.ts';
import { createValidation } from './validation.ts';

/** What is done at an address, and what its path says. */
interface Found<Request extends Asked, Shown> {
  readonly steps: Steps<Request, Shown>;
  readonly params: Readonly<Record<string, string>>;
}

/** Finds the operation of a method, in upper case, at a path. */
export type Find<Request extends Asked, Shown> = (method: string, path: string) => Found<Request, Shown> | undefined;

/** Every operation of the document by its address. */
export function createAddresses<Operations, Caller, Request extends Asked, Shown>(
  api: Api<Operations, Caller, Request, Shown>,
): Find<Request, Shown> {
  const validation = createValidation(api.document);
  const byMethod = new Map<string, Places<Request, Shown>>();
  for (const operation of operationsOf(api.document)) {
    const method = operation.method.toUpperCase();
    const places = byMethod.get(method) ?? new Places<Request, Shown>();
    byMethod.set(method, places);
    places.add(operation.template, stepsOf(api, operation, validation));
  }
  return (method, path) => byMethod.get(method)?.find(path);
}

interface Pattern<Request extends Asked, Shown> {
  readonly segments: readonly Segment[];
  readonly steps: Steps<Request, Shown>;
}

/**
 * The addresses of one method. Those without parameters are looked up as they are: an event is not worth a walk through
 * patterns. Of the others those are tried that have as many segments.
 */
class Places<Request extends Asked, Shown> {
  readonly #fixed = new Map<string, Found<Request, Shown>>();
  readonly #patterns = new Map<number, Pattern<Request, Shown>[]>();

  add(template: string, steps: Steps<Request, Shown>): void {
    if (!template.includes('{')) {
      this.#fixed.set(template, { steps, params: {} });
      return;
    }
    const segments = template.split('/').map(segmentOf);
    const alike = this.#patterns.get(segments.length) ?? [];
    this.#patterns.set(segments.length, [...alike, { segments, steps }]);
  }

  find(path: string): Found<Request, Shown> | undefined {
    const known = this.#fixed.get(path);
    if (known !== undefined) return known;
    const given = path.split('/');
    for (const { segments, steps } of this.#patterns.get(given.length) ?? []) {
      const params = paramsOf(segments, given);
      if (params !== undefined) return { steps, params };
    }
    return undefined;
  }
}

/** A segment of a template: a text, behind the value of a parameter where it has a name (`{destination}:rotateSecret`). */
interface Segment {
  readonly name: string | undefined;
  readonly text: string;
}

function segmentOf(written: string): Segment {
  const [, name, text = written] = /^\{(\w+)\}(.*)$/.exec(written) ?? [];
  return { name, text };
}

function paramsOf(wanted: readonly Segment[], given: readonly string[]): Record<string, string> | undefined {
  const params: Record<string, string> = {};
  let index = 0;
  for (const { name, text } of wanted) {
    const segment = given[index++] ?? '';
    if (name === undefined) {
      if (segment !== text) return undefined;
      continue;
    }
    if (segment.length <= text.length || !segment.endsWith(text)) return undefined;
    params[name] = decoded(segment.slice(0, segment.length - text.length));
  }
  return params;
}

/** What is no encoded text is taken as it is. */
function decoded(segment: string): string {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
