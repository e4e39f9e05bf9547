import type { components } from '../../generated/config-api.d.ts';
import type { SettingInForce } from '../settings/settings.ts';
import { requireUnbound } from './callers.ts';
import type { ConfigHandlers, Env } from './env.ts';

/** What the router that is asked was started with. */
export function settingHandlers({ router }: Pick<Env, 'router'>) {
  return {
    async listSettings({ caller }) {
      requireUnbound(caller, 'settings belong');
      return { node: `nodes/${router.name}`, settings: router.settings.map(settingResource) };
    },
  } satisfies Partial<ConfigHandlers>;
}

function settingResource(setting: SettingInForce): components['schemas']['Setting'] {
  const { flag, variable, value, isSet, isDefault, isSecret } = setting;
  const named = { name: `settings/${flag}`, variable };
  return { ...named, ...(value === undefined ? {} : { value }), set: isSet, default: isDefault, secret: isSecret };
}
