import type { KeyCounts } from '../../storage/secrets/sealed-rows.ts';
import type { Keyring } from '../../storage/secrets/keyring.ts';
import { failed, type Finding, ok, warning } from './finding.ts';

/** Whether secrets are encrypted in the storage, and whether a start could read them. */
export function checkSecrets(counts: KeyCounts, { current, ids }: Keyring): Finding {
  const unknown = [...counts.keys()].filter((id) => id !== undefined && !ids.includes(id));
  if (unknown.length > 0) {
    const detail = `encrypted with the key ${unknown.join(', ')}, which was not given`;
    return failed('secrets', `${detail}: add it to WAYBILL_SECRET_KEYS (--secret-keys)`);
  }
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const left = total - (counts.get(current) ?? 0);
  const wanted = current === undefined ? 'in clear' : `encrypted with the key ${current}`;
  if (left > 0) {
    const rows = `${left} of ${total} resources with secrets are not ${wanted} yet`;
    return warning('secrets', `${rows}; a router with these keys writes them anew`);
  }
  return ok('secrets', current === undefined ? 'stored in clear; WAYBILL_SECRET_KEYS encrypts them' : wanted);
}
