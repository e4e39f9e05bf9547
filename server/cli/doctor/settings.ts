import { VARIABLES } from '../../settings/settings.ts';
import { unknownVariables } from '../../settings/unknown-variables.ts';
import { type Finding, ok, warning } from './finding.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Settings that were read: where from, and what in the environment looks like one and is none. */
export function checkSettings(env: Environment): readonly Finding[] {
  const given = VARIABLES.filter((name) => (env[name] ?? '') !== '');
  const read = given.length === 0 ? 'none in the environment' : `from the environment: ${given.join(', ')}`;
  return [
    ok('settings', read),
    ...unknownVariables(env).map(({ variable, meant }) =>
      warning('settings', `${variable} is not a setting${meant === undefined ? '' : `; did you mean ${meant}?`}`),
    ),
  ];
}
