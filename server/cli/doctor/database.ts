import { type DatabaseState, inspectDatabase } from '../../storage/postgres/inspect.ts';
import { PATIENT_CONNECTIONS, URGENT_CONNECTIONS } from '../../storage/postgres/connection/database.ts';
import { MIGRATIONS } from '../../storage/postgres/migrations/migrations.ts';
import type { Keyring } from '../../storage/secrets/keyring.ts';
import { failed, type Finding, ok, type StorageReport, warning } from './finding.ts';
import { checkSecrets } from './secrets.ts';
import { messageOf } from '../../thrown.ts';

/** Beside the pool, a router renews its lease, computes audiences, and migrates. */
const OWN_CONNECTIONS = URGENT_CONNECTIONS + PATIENT_CONNECTIONS + 1;
const LONG_TRANSACTION_MS = 600_000;
/** Servers freeze after 200 million, where nothing holds them up. */
const MANY_UNFROZEN = 1e9;

/** Looks, and changes nothing: it may be asked beside routers that run. */
export async function checkDatabase(url: string, shown: string, keyring: Keyring): Promise<StorageReport> {
  try {
    const state = await inspectDatabase(url);
    const findings = [...findingsOf(state, shown), checkSecrets(state.secrets, keyring)];
    return { findings, isInUse: state.routers > 0 };
  } catch (error) {
    const detail = messageOf(error);
    return { findings: [failed('database', detail)], isInUse: false };
  }
}

/** What the state of a database means for routers. */
export function findingsOf(state: DatabaseState, shown: string): readonly Finding[] {
  return [
    ok('database', `PostgreSQL ${state.version} at ${shown}, as ${state.role}`),
    checkEncryption(state),
    checkFormat(state),
    checkPrivileges(state),
    checkDurability(state),
    checkConnections(state),
    ...checkTransactions(state),
    ...checkSlots(state),
    ok('routers', state.routers === 0 ? 'none uses it' : `${state.routers} use it now`),
  ];
}

function checkEncryption({ readable }: DatabaseState): Finding {
  if (!readable) return ok('encryption', 'nobody on the network can read along');
  return warning('encryption', 'events and keys cross the network in clear: use sslmode=verify-full');
}

function checkFormat({ format: { version, oldest }, mayMakeTables, role }: DatabaseState): Finding {
  const current = MIGRATIONS.length;
  if (oldest > current) {
    const detail = `format ${version} is for newer versions of Waybill; this one knows format ${current}`;
    return failed('formats', `${detail}: start a newer version`);
  }
  if (version < current && !mayMakeTables) {
    const detail = version === 0 ? 'no tables yet' : `format ${version}, and this Waybill writes ${current}`;
    const way = 'run waybill migrate as a role that may (CREATE on the database, or owner of the schema)';
    return failed('formats', `${detail}, and ${role} may not make tables: ${way}`);
  }
  if (version === 0) return ok('formats', 'no data yet; the first start, or waybill migrate, makes its tables');
  if (version >= current) return ok('formats', `format ${version}, with which this version works`);
  const way = 'the next start, or waybill migrate, brings it up to date';
  return warning('formats', `format ${version}, and this Waybill writes ${current}: ${way}`);
}

function checkPrivileges({ forbidden, role }: DatabaseState): Finding {
  if (forbidden.length === 0) return ok('privileges', `${role} may read and change all tables`);
  const way = `grant ${role} SELECT, INSERT, UPDATE and DELETE on them`;
  return failed('privileges', `${role} may not use ${forbidden.join(', ')}: ${way}`);
}

function checkDurability({ unsafe, standbys }: DatabaseState): Finding {
  if (unsafe.length > 0)
    return failed('durability', `${unsafe.join(' and ')} off: a crash of the server loses accepted events; switch on`);
  if (standbys !== '') return ok('durability', `a commit waits for the standby ${standbys}`);
  const detail = 'no synchronous standby: a failover may lose accepted events';
  return warning('durability', `${detail}; set synchronous_standby_names`);
}

/** Others may use the server as well, so that what is enough here may not be. */
function checkConnections({ connections, pool, routers }: DatabaseState): Finding {
  const each = pool + OWN_CONNECTIONS;
  const [own, all] = [`each router uses up to ${each} connections`, each * routers];
  const [server, way] = [`and the server has ${connections}`, 'raise max_connections, or lower pool'];
  if (each > connections) return failed('connections', `${own}, ${server}: ${way}`);
  if (all > connections) return warning('connections', `${own}, ${routers} of them up to ${all}, ${server}: ${way}`);
  return ok('connections', `${own}, ${server}`);
}

function minutes(ms: number): number {
  return Math.floor(ms / 60_000);
}

function checkTransactions({ oldestTransactionMs, oldestPreparedMs, unfrozen }: DatabaseState): readonly Finding[] {
  const faults: string[] = [];
  if (oldestTransactionMs >= LONG_TRANSACTION_MS) {
    const way = 'deleted rows stay until it ends: find it in pg_stat_activity';
    faults.push(`one has been open for ${minutes(oldestTransactionMs)} minutes; ${way}`);
  }
  if (oldestPreparedMs >= LONG_TRANSACTION_MS) {
    const way =
      'deleted rows stay until somebody ends it: COMMIT or ROLLBACK PREPARED, by its gid in pg_prepared_xacts';
    faults.push(`one was prepared ${minutes(oldestPreparedMs)} minutes ago; ${way}`);
  }
  if (unfrozen >= MANY_UNFROZEN) {
    const way = 'at 2,100 million the server takes no more writes: vacuum it, and end what holds that up';
    faults.push(`${Math.floor(unfrozen / 1e6)} million since vacuum has frozen the oldest; ${way}`);
  }
  return faults.map((detail) => warning('transactions', detail));
}

function checkSlots({ stuckSlots }: DatabaseState): readonly Finding[] {
  if (stuckSlots.length === 0) return [];
  const way = 'the disk of the server fills up: let it be read, or drop it (pg_drop_replication_slot)';
  return [warning('replication', `nobody reads the slot ${stuckSlots.join(', ')}, for which WAL is kept; ${way}`)];
}
