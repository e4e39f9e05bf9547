import type { Mutant } from '../mutant.ts';

/** Of what destinations do with bodies before they are signed. */
export const SHAPES: readonly Mutant[] = [
  {
    rule: 'HOOK-16',
    file: 'server/shaping/shape.ts',
    find: "if (body['type'] === 'delete') return { body, undecided: false };",
    replace: '',
    breaks: 'the notice of a deleted user is shaped as any other body',
  },
  {
    rule: 'SAFE-2',
    file: 'server/shaping/shape.ts',
    find: 'const reduced = Object.entries(body).filter(([field]) => REDUCED.includes(field));',
    replace: 'const reduced = Object.entries(body);',
    breaks: 'a shape that cannot be decided lets the whole body out',
  },
  {
    rule: 'SAFE-2',
    file: 'server/shaping/shape.ts',
    find: 'spendOnJson(left, new Budget(OUTPUT_STEPS));',
    replace: '',
    breaks: 'a shape makes bodies of any size',
  },
];
