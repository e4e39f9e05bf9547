import { expect, test } from 'vitest';
import { classOf } from '../../../server/model/outcome.ts';
import { WORDS } from '../../fault-script/fields.ts';
import { MALFORMATIONS, STAGES, UNREACHABLES } from '../../fault-script/index.ts';
import { PARITY, stepOf } from '../../parity/vocabulary.ts';

test('every row means the same class on every back-end that plays it', () => {
  for (const { step, outcomes } of PARITY) {
    const classes = new Set(Object.values(outcomes).map(classOf));
    expect([...classes], step).toHaveLength(1);
  }
});

test('every word of the language, every stage and every kind has a row', () => {
  const steps = PARITY.map(stepOf);
  const used = new Set(steps.flatMap((step) => Object.keys(step)));
  expect(WORDS.filter((word) => !used.has(word))).toEqual([]);
  const endings = steps.flatMap(({ silence, reset, close, malformed, unreachable }) => [
    ...(silence === undefined ? [] : [`silence ${silence}`]),
    ...(reset === undefined ? [] : [`reset ${reset}`]),
    ...(close === undefined ? [] : [`close ${close}`]),
    malformed,
    unreachable,
  ]);
  const stages = STAGES.flatMap((stage) => [`reset ${stage}`, `close ${stage}`, `silence ${stage}`]);
  // Silence after the whole answer is a plain answer, and refused as a step.
  const wanted = [...stages.filter((each) => each !== 'silence answer'), ...MALFORMATIONS, ...UNREACHABLES];
  expect(wanted.filter((each) => !endings.includes(each))).toEqual([]);
});
