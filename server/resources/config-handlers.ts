import { acceptedEventHandlers } from './accepted-events.ts';
import { accessTokenHandlers } from './access-tokens.ts';
import { audienceMemberHandlers } from './audience-members.ts';
import { audienceHandlers } from './audiences.ts';
import { auditEntryHandlers } from './audit-entries.ts';
import { backupHandlers } from './backup.ts';
import { catalogHandlers } from './catalog.ts';
import { syncHandlers } from './computed-syncs.ts';
import { computedTraitHandlers } from './computed-traits.ts';
import { deliveryHandlers } from './deliveries.ts';
import { destinationHandlers } from './destinations.ts';
import type { ConfigHandlers, Env } from './env.ts';
import { filterPreviewHandlers } from './filter-preview.ts';
import { filterHandlers } from './filters.ts';
import { liveEventHandlers } from './live-events.ts';
import { lossHandlers } from './losses.ts';
import { metricHandlers } from './metrics.ts';
import { nodeHandlers } from './nodes.ts';
import { overviewHandlers } from './overview.ts';
import { profileHandlers } from './profiles.ts';
import { queueHandlers } from './queues.ts';
import { quotaHandlers } from './quotas.ts';
import { regulationHandlers } from './regulations.ts';
import { replayHandlers } from './replays.ts';
import { secretRotationHandlers } from './secret-rotations.ts';
import { settingHandlers } from './settings.ts';
import { shapePreviewHandlers } from './shape-preview.ts';
import { sourceConnectionHandlers } from './source-connections.ts';
import { sourceHandlers } from './sources.ts';
import { trackingPlanHandlers } from './tracking-plans.ts';
import { workspaceHandlers } from './workspaces.ts';

/** Total: an operation of the document without a handler does not compile. */
export function configHandlers(env: Env): ConfigHandlers {
  return {
    ...accessTokenHandlers(env),
    ...workspaceHandlers(env),
    ...quotaHandlers(env),
    ...sourceHandlers(env),
    ...destinationHandlers(env),
    ...secretRotationHandlers(env),
    ...deliveryHandlers(env),
    ...replayHandlers(env),
    ...metricHandlers(env),
    ...queueHandlers(env),
    ...overviewHandlers(env),
    ...trackingPlanHandlers(env),
    ...sourceConnectionHandlers(env),
    ...filterHandlers(env),
    ...filterPreviewHandlers(env),
    ...shapePreviewHandlers(env),
    ...audienceHandlers(env),
    ...audienceMemberHandlers(env),
    ...computedTraitHandlers(env),
    ...syncHandlers(env),
    ...profileHandlers(env),
    ...regulationHandlers(env),
    ...catalogHandlers(),
    ...acceptedEventHandlers(env),
    ...liveEventHandlers(env),
    ...lossHandlers(env),
    ...nodeHandlers(env),
    ...settingHandlers(env),
    ...backupHandlers(env),
    ...auditEntryHandlers(env),
  };
}
