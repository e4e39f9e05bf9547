import { type Definition, DEFINITION_LIMITS } from '../model/definition.ts';
import { DefinitionFault } from './definition-fault.ts';
import { referencesOf } from './measures.ts';

/** The definitions of a workspace's audiences, by full name. */
export type Definitions = ReadonlyMap<string, Definition>;

/**
 * Throws where an audience would be a member of itself, by way of others, or where one would have too many conditions with all
 * that it refers to. The others are free of cycles.
 */
export function checkReferences(changed: string, definitions: Definitions, place: string): void {
  const cycle = cycleFrom(changed, definitions);
  if (cycle !== undefined) throw new DefinitionFault(place, `makes a cycle: ${cycle.join(' → ')}`);
  const sizes = new Map<string, Size>();
  for (const name of definitions.keys()) checkSize(name, sizeOf(name, definitions, sizes), place);
}

function cycleFrom(start: string, definitions: Definitions): readonly string[] | undefined {
  const visited = new Set<string>();
  const paths = [[start]];
  for (let path = paths.pop(); path !== undefined; path = paths.pop()) {
    const definition = definitions.get(path.at(-1) ?? start);
    for (const next of definition === undefined ? [] : referencesOf(definition)) {
      if (next === start) return [...path, start];
      if (!visited.has(next)) paths.push([...path, next]);
      visited.add(next);
    }
  }
  return undefined;
}

/** With all that it refers to in the place of its references, as it is evaluated. */
interface Size {
  readonly conditions: number;
  readonly depth: number;
}

function sizeOf(name: string, definitions: Definitions, known: Map<string, Size>): Size {
  const before = known.get(name);
  if (before !== undefined) return before;
  const definition = definitions.get(name);
  const size = definition === undefined ? LEAF : sizeWithin(definition, (other) => sizeOf(other, definitions, known));
  known.set(name, size);
  return size;
}

const LEAF: Size = { conditions: 1, depth: 1 };

function sizeWithin(definition: Definition, sizeOfOther: (name: string) => Size): Size {
  if ('member_of' in definition) return sizeOfOther(definition.member_of);
  const parts = partsOf(definition);
  if (parts === undefined) return LEAF;
  const sizes = parts.map((part) => sizeWithin(part, sizeOfOther));
  return {
    conditions: sizes.reduce((sum, { conditions }) => sum + conditions, 0),
    depth: 1 + Math.max(...sizes.map(({ depth }) => depth)),
  };
}

function partsOf(definition: Definition): readonly Definition[] | undefined {
  if ('all' in definition) return definition.all;
  if ('any' in definition) return definition.any;
  return 'not' in definition ? [definition.not] : undefined;
}

function checkSize(name: string, { conditions, depth }: Size, place: string): void {
  const { wholeConditions, wholeDepth } = DEFINITION_LIMITS;
  const whose = `with all that it refers to, ${name} would`;
  if (conditions > wholeConditions) {
    throw new DefinitionFault(place, `: ${whose} have ${conditions} conditions of at most ${wholeConditions}`);
  }
  if (depth > wholeDepth) throw new DefinitionFault(place, `: ${whose} be nested deeper than ${wholeDepth} levels`);
}
