import type { components } from '../../../generated/config-api.d.ts';
import type { Violation, Violations } from '../../losses/violations-port.ts';
import type { ConfigHandlers, Env } from '../env.ts';
import { slugOf, sourceName } from '../resource-name.ts';
import { found } from '../store-answers.ts';
import { requireVisible } from '../visible.ts';

interface Ports extends Pick<Env, 'store'> {
  readonly violations: Violations;
  /** When counting began. */
  readonly since: string;
}

export function violationHandlers({ store, violations, since }: Ports): Pick<ConfigHandlers, 'listViolations'> {
  return {
    async listViolations({ path, caller }) {
      const name = requireVisible(caller, sourceName(path));
      found(await store.get('sources', name), name);
      return { since, counts: [...violations.countsOf(name)], violations: violations.lastOf(name).map(toResource) };
    },
  };
}

function toResource({ plan, messageId, receivedAt, ...same }: Violation): components['schemas']['Violation'] {
  return { ...same, tracking_plan_id: slugOf(plan), message_id: messageId, receive_time: receivedAt };
}
