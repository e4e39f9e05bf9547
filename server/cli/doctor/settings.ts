import { nearest } from '../../nearest.ts';
import { checkPolicy } from '../../model/check-policy.ts';
import { DEFAULT_POLICY } from '../../model/policy.ts';
import { type Settings, SETTINGS, variableOf } from '../../settings/settings.ts';
import { failed, type Finding, ok, warning } from './finding.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** For commands that ask a router, and not for the router. */
const OF_COMMANDS = ['WAYBILL_URL'];

/** Settings that were read: what contradicts, and what in the environment looks like a setting and is none. */
export function checkSettings({ retryFirstWaitMs: firstWaitMs }: Settings, env: Environment): readonly Finding[] {
  const variables = Object.values(SETTINGS).map(({ flag }) => variableOf(flag));
  const known = [...variables, ...OF_COMMANDS];
  const unknown = Object.keys(env).filter((name) => name.startsWith('WAYBILL_') && !known.includes(name));
  const faults = checkPolicy({ ...DEFAULT_POLICY, firstWaitMs });
  const given = variables.filter((name) => (env[name] ?? '') !== '');
  const read = given.length === 0 ? 'none in the environment' : `from the environment: ${given.join(', ')}`;
  return [
    faults.length === 0 ? ok('settings', read) : failed('settings', `--retry-first-wait: ${faults.join('; ')}`),
    ...unknown.map((name) => warning('settings', `${name} is not a setting${guess(name, variables)}`)),
  ];
}

function guess(name: string, variables: readonly string[]): string {
  const near = nearest(name, variables);
  return near === undefined ? '' : `; did you mean ${near}?`;
}
