import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import type { Statement } from '../../storage/postgres/connection/statement.ts';
import { systemClock } from '../../system-clock.ts';
import { accepted, NOW } from '../conformance/delivery-store-events.ts';
import { keptPlaces } from '../support/kept-places.ts';
import { batchOf } from '../support/memory-storage.ts';
import { committingLate, postgresNodes, type Spoil, stillPlace } from '../support/postgres-nodes.ts';
import { describeWithPostgres } from '../support/postgres-place.ts';

/** So many messages are worth a group beside one that is under way. */
const MANY = 40;

/** Accepts commit late, and are noted as they are asked. */
function notedAndLate(asked: string[], gate: Promise<void>): Spoil {
  const late = committingLate('accept', gate, () => undefined);
  return (database) => {
    const own = late(database);
    return {
      ...own,
      run<Row>(statement: Statement, values?: readonly unknown[]) {
        if (statement.name.startsWith('accept')) asked.push(statement.name);
        return own.run<Row>(statement, values);
      },
    };
  };
}

function many(name: string): ReturnType<typeof accepted>[] {
  return Array.from({ length: MANY }, (_, index) => accepted(`${name}${index}`, false));
}

describeWithPostgres('accepts under way', () => {
  const kept = keptPlaces(stillPlace);

  test('a message that comes again meanwhile waits, and what comes with others does not', async () => {
    await using nodes = await postgresNodes(NOW, kept());
    const asked: string[] = [];
    const gate = Promise.withResolvers<void>();
    const { verbs } = await nodes.open('one', { spoil: notedAndLate(asked, gate.promise) });
    const first = verbs.accept(batchOf([accepted('m1', false)]));
    await expect.poll(() => asked.length).toBe(1);
    const again = verbs.accept(batchOf([...many('beside'), accepted('m1', false)]));
    const others = verbs.accept(batchOf(many('other')));
    await expect.poll(() => asked.length).toBe(2);
    gate.resolve();
    expect(await first).toEqual([[]]);
    expect((await again).indexOf('duplicate')).toBe(MANY);
    expect(await others).not.toContain('duplicate');
    // Nothing was refused by the database.
    expect(asked).toEqual(['accept', 'accept', 'accept']);
  });

  test('that hang hold up others for a moment', async () => {
    await using nodes = await postgresNodes(NOW, kept());
    const gate = Promise.withResolvers<void>();
    let accepts = 0;
    const spoil: Spoil = (database) => ({
      ...database,
      async run<Row>(statement: Statement, values?: readonly unknown[]) {
        if (statement.name === 'accept' && (accepts += 1) === 1) await gate.promise;
        return database.run<Row>(statement, values);
      },
    });
    const { verbs } = await nodes.open('one', { clock: systemClock, spoil });
    const first = verbs.accept(batchOf([accepted('m1', false)]));
    await expect.poll(() => accepts).toBe(1);
    const again = verbs.accept(batchOf([accepted('m1', false)]));
    const other = verbs.accept(batchOf([accepted('m2', false)]));
    const late = systemClock.sleep(2_000).then(() => 'late');
    expect(await Promise.race([other, late])).toEqual([[]]);
    gate.resolve();
    expect([await first, await again]).toEqual([[[]], ['duplicate']]);
  });

  test('are known again by their keys, and keep no event in memory', async () => {
    await using nodes = await postgresNodes(NOW, kept());
    const { verbs } = await nodes.open('one');
    const key = 'known again';
    const pass = async (): Promise<WeakRef<object>> => {
      const batch = batchOf([accepted('m1', false)]);
      await verbs.accept({ ...batch, key });
      return new WeakRef(batch.acceptances);
    };
    const passed = await pass();
    setFlagsFromString('--expose-gc');
    const collect: unknown = runInNewContext('gc');
    const isGone = (): boolean => {
      if (typeof collect === 'function') collect();
      return passed.deref() === undefined;
    };
    await expect.poll(isGone, { timeout: 5_000 }).toBe(true);
    expect(await verbs.accept({ ...batchOf([accepted('m1', false)]), key })).toEqual([[]]);
  });
});
