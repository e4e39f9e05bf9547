import { expect, test } from 'vitest';
import { startWaybill } from '../../app.ts';
import { readSettings } from '../../settings/settings.ts';
import { readAddress } from '../../storage/postgres/connection/address.ts';
import { openDatabase } from '../../storage/postgres/connection/database.ts';
import { DatabaseUnfit, StatementRefused } from '../../storage/postgres/connection/failures.ts';
import { SQLSTATES } from '../../storage/postgres/connection/sqlstates.ts';
import { reads, script } from '../../storage/postgres/connection/statement.ts';
import { openPostgresStorage } from '../../storage/postgres/open-postgres-storage.ts';
import { StoreUnavailable } from '../../storage/config-store.ts';
import { measuredTime } from '../../storage/postgres/time.ts';
import { messageOf } from '../../thrown.ts';
import { systemClock } from '../../system-clock.ts';
import { accepted } from '../conformance/delivery-store-events.ts';
import { newFolder } from '../support/delivery-world.ts';
import { RecordingLog } from '../support/ingestion-log.ts';
import { basic } from '../support/ingestion-server.ts';
import { batchOf } from '../support/memory-storage.ts';
import { describeWithPostgres, postgresPlace } from '../support/postgres-place.ts';

const TOKEN = 'token-of-a-refused-router-0123456789';
const WRITE_KEY = 'key-of-a-refused-router-0123456789';
const SOURCE = 'workspaces/main/sources/js';
const DESTINATION = `${SOURCE}/destinations/webhooks`;

/** What is told of the database, whoever asked. */
const TOLD = /^the database (refuses|no longer refuses)/;

/** A whole router, which routes to a destination, on a database whose superuser can break it. */
async function startRouter() {
  await using opened = new AsyncDisposableStack();
  const place = opened.use(await postgresPlace());
  const log = new RecordingLog();
  const database = openDatabase(readAddress(place.url));
  const storage = await openPostgresStorage({ database, clock: systemClock, log });
  opened.defer(() => storage.close());
  const flags = ['--port=0', `--data-dir=${newFolder()}`, `--token=${TOKEN}`, '--allow-networks=127.0.0.0/8'];
  const router = await startWaybill(readSettings(flags, {}), log, { storage: () => storage });
  opened.defer(() => router.stop());
  const post = (path: string, body: unknown, authorization: Readonly<Record<string, string>>): Promise<Response> =>
    fetch(router.url + path, { method: 'POST', body: JSON.stringify(body), headers: { ...authorization } });
  const bearer = { authorization: `Bearer ${TOKEN}` };
  const source = { name: SOURCE, catalog_name: 'catalog/sources/javascript', write_keys: [WRITE_KEY] };
  await post('/v1beta/workspaces/main/sources', { source }, bearer);
  const config = [{ name: `${DESTINATION}/config/hooks`, type: 'mixed', value: [{ hook: 'http://127.0.0.1:9/' }] }];
  await post(`/v1beta/${SOURCE}/destinations`, { destination: { name: DESTINATION, enabled: true, config } }, bearer);
  let sent = 0;
  const all = opened.move();
  return {
    break: async (sql: string) => void (await place.superuser.run(script(sql))),
    accept: () => {
      sent += 1;
      const batch = [{ type: 'track', event: 'E', messageId: `m${sent}`, userId: 'u' }];
      return post('/v1/batch', { batch }, basic(WRITE_KEY));
    },
    ready: async () => {
      const answer = await fetch(`${router.url}/readyz`);
      return { status: answer.status, text: await answer.text() };
    },
    told: () => log.lines.filter(({ message }) => TOLD.test(message)).map(({ fields }) => String(fields['reason'])),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

/** On a real server, whatever it says of its own accord. */
function raising(code: string, when = 'true'): string {
  return `CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'as it was told' USING ERRCODE = '${code.padEnd(5, '0')}'; END $$;
    CREATE OR REPLACE TRIGGER refuse BEFORE INSERT ON messages FOR EACH ROW WHEN (${when}) EXECUTE FUNCTION refuse()`;
}

describeWithPostgres('a database that refuses what a router needs', () => {
  test.each([
    ['REVOKE INSERT ON messages FROM waybill_router', 'GRANT INSERT ON messages TO waybill_router', '42501'],
    ['ALTER TABLE commits RENAME TO elsewhere', 'ALTER TABLE elsewhere RENAME TO commits', '42P01'],
  ])('%s: is answered with 503, told by /readyz and once by the log, until it is mended', async (harm, mend, code) => {
    await using router = await startRouter();
    expect((await router.accept()).status).toBe(200);
    expect((await router.ready()).status).toBe(200);
    await router.break(harm);
    for (let tries = 0; tries < 3; tries += 1) {
      const answer = await router.accept();
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
    }
    await expect.poll(router.ready, { timeout: 5_000 }).toMatchObject({ status: 503 });
    expect((await router.ready()).text).toContain(/\b(messages|commits)\b/.exec(harm)?.[0]);
    const ofAccepts = router.told().filter((reason) => reason.includes(`(${code}): `));
    expect(new Set(ofAccepts).size).toBe(ofAccepts.length);
    expect(ofAccepts.join()).toContain('waybill doctor');
    await router.break(mend);
    await expect.poll(async () => (await router.accept()).status, { timeout: 5_000 }).toBe(200);
    await expect.poll(router.ready, { timeout: 5_000 }).toMatchObject({ status: 200 });
  });

  test('each SQLSTATE of the table, and others, mean what it says, also in the middle of an accept', async () => {
    await using router = await startRouter();
    const answers: Record<string, number> = {};
    const codes = Object.keys(SQLSTATES).filter((code) => !code.startsWith('28') && code !== '3D000');
    for (const code of [...codes, '22012']) {
      await router.break(raising(code));
      answers[code] = (await router.accept()).status;
    }
    expect(answers).toEqual({ ...Object.fromEntries(codes.map((code) => [code, 503])), 22012: 500 });
  });

  test('CFG-20: /readyz counts refused accepts once none has been stored for ten seconds, and not beside those that are', async () => {
    await using place = await postgresPlace();
    let ahead = 0;
    const clock = { ...systemClock, steady: () => systemClock.steady() + ahead };
    const time = measuredTime(systemClock);
    const database = openDatabase(readAddress(place.url));
    const storage = await openPostgresStorage({ database, clock, time, log: new RecordingLog() });
    const accept = (id: string): Promise<unknown> =>
      storage.deliveries.accept(batchOf([accepted(id, false)])).catch((error: unknown) => error);
    await place.superuser.run(script(raising('22012', "NEW.event LIKE '%refused%'")));
    const failures = async (id: string): Promise<number | undefined> => {
      expect(await accept(id)).toBeInstanceOf(StatementRefused);
      return storage.checks[0]?.failures();
    };
    const found = [await failures('refused 1')];
    ahead += 9_000;
    expect(await accept('stored')).toEqual([[]]);
    ahead += 9_000;
    found.push(await failures('refused 2'));
    ahead += 1_000;
    found.push(await failures('refused 3'), await failures('refused 4'));
    await storage.close();
    expect(found).toEqual([0, 0, 1, 2]);
  });

  test('CFG-20: /readyz tells why nothing is stored, once that has been so for ten seconds, while anybody asks', async () => {
    await using place = await postgresPlace();
    let ahead = 0;
    const clock = { ...systemClock, steady: () => systemClock.steady() + ahead };
    const database = openDatabase(readAddress(place.url));
    const storage = await openPostgresStorage({
      database,
      clock,
      time: measuredTime(systemClock),
      log: new RecordingLog(),
    });
    const accept = () => storage.deliveries.accept(batchOf([accepted('m', false)])).catch((error: unknown) => error);
    const found = () => storage.checks[0]?.attempt().then(() => 'ok', messageOf);
    // As while an operator has the table locked.
    await place.superuser.run(script(raising('55P03')));
    const foundAfter = async (ms: number, isAsked: boolean) => {
      ahead += ms;
      if (isAsked) await accept();
      return found();
    };
    const all = [await foundAfter(0, true), await foundAfter(9_000, true), await foundAfter(2_000, true)];
    all.push(await foundAfter(11_000, false));
    await accept();
    await place.superuser.run(script('DROP TRIGGER refuse ON messages'));
    expect(await accept()).toEqual([[]]);
    all.push(await found());
    await storage.close();
    const why = expect.stringMatching(/^no event could be stored for 10 s: .*55P03/);
    expect(all).toEqual(['ok', 'ok', why, 'ok', 'ok']);
  });

  test('what is refused, and what this router is not fit for, are told apart', async () => {
    await using place = await postgresPlace();
    const refused = place.database.run(script('SELECT 1 / 0'));
    await expect(refused).rejects.toThrow(StatementRefused);
    const unfit = place.database.run(script('SELECT FROM nowhere'));
    await expect(unfit).rejects.toThrow(DatabaseUnfit);
    await expect(unfit).rejects.toThrow(StoreUnavailable);
  });

  test('NODE-7: a connection whose statements a migration has made useless is replaced by another', async () => {
    await using place = await postgresPlace();
    const read = reads('read_whole', 'SELECT whole FROM wholes');
    await place.superuser.run(script('CREATE TABLE wholes AS SELECT 1 AS whole; GRANT SELECT ON wholes TO PUBLIC'));
    expect(await place.database.run(read)).toEqual([{ whole: 1 }]);
    await place.superuser.run(script('ALTER TABLE wholes ALTER COLUMN whole TYPE bigint'));
    await expect(place.database.run(read)).rejects.toThrow(StoreUnavailable);
    expect(await place.database.run(read)).toEqual([{ whole: 1 }]);
  });
});
