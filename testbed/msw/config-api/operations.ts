import type { MswHandlerFactories } from '../../../generated/runtime/msw.gen.ts';
import * as schemas from '../../../generated/runtime/valibot.gen.ts';
import { creationOf, listOf, type ModeledOperation, readOf, removalOf, updateOf } from './resource-operations.ts';
import { rotationEndOf, rotationOf } from './rotation-operations.ts';

export type OperationId = keyof MswHandlerFactories;

/** Stands for an operation that the model leaves out: it answers 501, unless a test gives its answer. */
const LEFT_OUT = 'left out';

/** Total on purpose: an operation that is added to the document does not compile until it is modeled, or left out here. */
export const OPERATIONS = {
  listAccessTokens: listOf('access-tokens', schemas.vListAccessTokensQuery, schemas.vListAccessTokensResponse),
  createAccessToken: creationOf('access-tokens', schemas.vCreateAccessTokenBody, schemas.vCreateAccessTokenResponse),
  getAccessToken: readOf(schemas.vGetAccessTokenResponse),
  updateAccessToken: updateOf('access-tokens', schemas.vUpdateAccessTokenBody, schemas.vUpdateAccessTokenResponse),
  deleteAccessToken: removalOf(schemas.vDeleteAccessTokenResponse),

  listWorkspaces: listOf('workspaces', schemas.vListWorkspacesQuery, schemas.vListWorkspacesResponse),
  createWorkspace: creationOf('workspaces', schemas.vCreateWorkspaceBody, schemas.vCreateWorkspaceResponse),
  getWorkspace: readOf(schemas.vGetWorkspaceResponse),
  updateWorkspace: updateOf('workspaces', schemas.vUpdateWorkspaceBody, schemas.vUpdateWorkspaceResponse),
  deleteWorkspace: removalOf(schemas.vDeleteWorkspaceResponse, schemas.vDeleteWorkspaceQuery),

  listSources: listOf('sources', schemas.vListSourcesQuery, schemas.vListSourcesResponse),
  createSource: creationOf('sources', schemas.vCreateSourceBody, schemas.vCreateSourceResponse),
  getSource: readOf(schemas.vGetSourceResponse),
  updateSource: updateOf('sources', schemas.vUpdateSourceBody, schemas.vUpdateSourceResponse),
  deleteSource: removalOf(schemas.vDeleteSourceResponse),

  listDestinations: listOf('destinations', schemas.vListDestinationsQuery, schemas.vListDestinationsResponse),
  createDestination: creationOf('destinations', schemas.vCreateDestinationBody, schemas.vCreateDestinationResponse),
  getDestination: readOf(schemas.vGetDestinationResponse),
  updateDestination: updateOf('destinations', schemas.vUpdateDestinationBody, schemas.vUpdateDestinationResponse),
  deleteDestination: removalOf(schemas.vDeleteDestinationResponse),

  listTrackingPlans: listOf('tracking-plans', schemas.vListTrackingPlansQuery, schemas.vListTrackingPlansResponse),
  createTrackingPlan: creationOf(
    'tracking-plans',
    schemas.vCreateTrackingPlanBody,
    schemas.vCreateTrackingPlanResponse,
  ),
  getTrackingPlan: readOf(schemas.vGetTrackingPlanResponse),
  updateTrackingPlan: updateOf('tracking-plans', schemas.vUpdateTrackingPlanBody, schemas.vUpdateTrackingPlanResponse),
  replaceTrackingPlan: updateOf(
    'tracking-plans',
    schemas.vReplaceTrackingPlanBody,
    schemas.vReplaceTrackingPlanResponse,
  ),
  deleteTrackingPlan: removalOf(schemas.vDeleteTrackingPlanResponse),

  rotateSecret: rotationOf(schemas.vRotateSecretBody, schemas.vRotateSecretResponse),
  cancelSecretRotation: rotationEndOf('cancel', schemas.vCancelSecretRotationResponse),
  finishSecretRotation: rotationEndOf('finish', schemas.vFinishSecretRotationResponse),

  listAcceptedEvents: LEFT_OUT,
  streamAcceptedEvents: LEFT_OUT,
  listDroppedEvents: LEFT_OUT,
  listViolations: LEFT_OUT,
  listUnknownKeys: LEFT_OUT,
  listNodes: LEFT_OUT,
  getSchemaConfig: LEFT_OUT,
  updateSchemaConfig: LEFT_OUT,
  listDeliveries: LEFT_OUT,
  getDelivery: LEFT_OUT,
  replayDelivery: LEFT_OUT,
  listReplays: LEFT_OUT,
  createReplay: LEFT_OUT,
  getReplay: LEFT_OUT,
  cancelReplay: LEFT_OUT,
  listDeliveryMetrics: LEFT_OUT,
  getDeliveryMetricsSummary: LEFT_OUT,
  getDeliveryMetric: LEFT_OUT,
  batchGetDeliveryMetrics: LEFT_OUT,
  batchGetDeliveryMetricsSummaries: LEFT_OUT,
  listSourceConnections: LEFT_OUT,
  createSourceConnection: LEFT_OUT,
  batchCreateSourceConnections: LEFT_OUT,
  deleteSourceConnection: LEFT_OUT,
  deleteSourceConnectionByName: LEFT_OUT,
  listFilters: LEFT_OUT,
  createFilter: LEFT_OUT,
  deleteFilter: LEFT_OUT,
  getFilter: LEFT_OUT,
  updateFilter: LEFT_OUT,
  deleteFilterByName: LEFT_OUT,
  getFilterByName: LEFT_OUT,
  updateFilterByName: LEFT_OUT,
  previewFilter: LEFT_OUT,
  listAudiences: LEFT_OUT,
  createAudience: LEFT_OUT,
  previewAudience: LEFT_OUT,
  getAudience: LEFT_OUT,
  updateAudience: LEFT_OUT,
  deleteAudience: LEFT_OUT,
  syncAudience: LEFT_OUT,
  listAudienceMembers: LEFT_OUT,
  getAudienceMember: LEFT_OUT,
  listAudienceSyncs: LEFT_OUT,
  cancelAudienceSync: LEFT_OUT,
  listComputedTraits: LEFT_OUT,
  createComputedTrait: LEFT_OUT,
  getComputedTrait: LEFT_OUT,
  updateComputedTrait: LEFT_OUT,
  deleteComputedTrait: LEFT_OUT,
  syncComputedTrait: LEFT_OUT,
  listComputedTraitSyncs: LEFT_OUT,
  cancelComputedTraitSync: LEFT_OUT,
  getProfile: LEFT_OUT,
  deleteProfile: LEFT_OUT,
  listRegulations: LEFT_OUT,
  createRegulation: LEFT_OUT,
  deleteRegulation: LEFT_OUT,
  getRegulation: LEFT_OUT,
  listSuppressedUsers: LEFT_OUT,
  listSourceRegulations: LEFT_OUT,
  createSourceRegulation: LEFT_OUT,
  cancelSourceRegulations: LEFT_OUT,
  getSourceRegulation: LEFT_OUT,
  deleteSourceRegulation: LEFT_OUT,
  listSourceSuppressedUsers: LEFT_OUT,
  downloadBackup: LEFT_OUT,
  listCatalogSources: LEFT_OUT,
  getCatalogSource: LEFT_OUT,
  listCatalogDestinations: LEFT_OUT,
  getCatalogDestination: LEFT_OUT,
} as const satisfies { readonly [Id in OperationId]: ModeledOperation | typeof LEFT_OUT };

/** In the order of the document's own handlers: those of longer paths first. */
export const OPERATION_IDS = Object.keys(OPERATIONS).filter((id): id is OperationId => Object.hasOwn(OPERATIONS, id));

/** Undefined for one that the model leaves out. */
export function modeled(id: OperationId): ModeledOperation | undefined {
  const operation: ModeledOperation | typeof LEFT_OUT = OPERATIONS[id];
  return operation === LEFT_OUT ? undefined : operation;
}
