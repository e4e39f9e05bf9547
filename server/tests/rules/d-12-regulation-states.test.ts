import { expect, test } from 'vitest';
import {
  begun,
  effectsOf,
  finished,
  isOver,
  isUntouched,
  scopeOf,
  withSourcesFinished,
} from '../../model/regulation.ts';
import type { Regulation } from '../../model/resources.ts';

const MAIN = 'workspaces/main';
const [JS, IOS] = [`${MAIN}/sources/js`, `${MAIN}/sources/ios`];
const AT = '2026-11-22T12:00:00.000Z';

function regulation(given: Partial<Regulation> = {}): Regulation {
  return {
    name: `${MAIN}/regulations/rg_1`,
    regulate_id: 'rg_1',
    parent: MAIN,
    create_time: AT,
    regulation_type: 'Delete',
    overall_status: 'INITIALIZED',
    user_ids: ['u1'],
    source_status: [],
    ...given,
  };
}

/** Whether it suppresses, deletes and notifies. */
function effects(type: Regulation['regulation_type']): readonly boolean[] {
  const { suppresses, deletes, notifies } = effectsOf(regulation({ regulation_type: type }));
  return [suppresses, deletes, notifies];
}

test('D-12: a regulation holds for its workspace, or for the one source that it names', () => {
  expect(scopeOf(regulation())).toBe(MAIN);
  expect(scopeOf(regulation({ source_name: JS }))).toBe(JS);
});

test('D-12: each type suppresses, deletes and notifies as it says', () => {
  expect(effects('Suppress')).toEqual([true, false, false]);
  expect(effects('Unsuppress')).toEqual([false, false, false]);
  expect(effects('Suppress_With_Delete')).toEqual([true, true, true]);
  expect(effects('Delete')).toEqual([false, true, true]);
  expect(effects('Delete_Internal')).toEqual([false, true, false]);
});

test('D-12: a regulation is untouched, then runs, and then is over', () => {
  const states = (['INITIALIZED', 'RUNNING', 'FINISHED'] as const).map((overall_status) =>
    regulation({ overall_status }),
  );
  expect(states.map(isUntouched)).toEqual([true, false, false]);
  expect(states.map(isOver)).toEqual([false, false, true]);
});

test('D-12: the sources of a regulation are fixed when it begins, and not again', () => {
  const running = begun(regulation(), [JS, IOS]);
  expect(running).toMatchObject({
    overall_status: 'RUNNING',
    source_status: [
      { source_name: JS, status: 'RUNNING' },
      { source_name: IOS, status: 'RUNNING' },
    ],
  });
  expect(begun(running, [JS])).toBe(running);
  // Also when that source was deleted meanwhile.
  expect(begun(regulation({ source_name: IOS }), [JS])).toMatchObject({
    source_status: [{ source_name: IOS, status: 'RUNNING' }],
  });
});

test('D-12: each source is finished for itself', () => {
  expect(withSourcesFinished(begun(regulation(), [JS, IOS]), new Set([IOS])).source_status).toEqual([
    { source_name: JS, status: 'RUNNING' },
    { source_name: IOS, status: 'FINISHED' },
  ]);
});

test('D-12: of a regulation that is over, the users are kept only where later events are judged by them', () => {
  const kept = (regulation_type: Regulation['regulation_type']) => finished(regulation({ regulation_type }), AT);
  for (const type of ['Delete', 'Delete_Internal'] as const) expect(kept(type).user_ids).toEqual([]);
  for (const type of ['Suppress', 'Unsuppress', 'Suppress_With_Delete'] as const) {
    expect(kept(type).user_ids).toEqual(['u1']);
  }
  expect(kept('Delete')).toMatchObject({ overall_status: 'FINISHED', finish_time: AT });
});

test('SAFE-2, D-12: of a regulation that is over, the first hundred of its sources are kept', () => {
  const sources = Array.from({ length: 300 }, (_, at) => `${MAIN}/sources/s${at}`);
  const running = begun(regulation(), sources);
  expect(running.source_status).toHaveLength(300);
  const { source_status: kept } = finished(withSourcesFinished(running, new Set(sources)), AT);
  expect(kept.map(({ source_name }) => source_name)).toEqual(sources.slice(0, 100));
});
