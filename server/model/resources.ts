import type { Definition, TraitDefinition } from './definition.ts';

/** Resources as they are stored. Their JSON is the format of stored rows; what the Config API answers is made of it. */

/** A token as it is stored: the plaintext never is (D-8). */
export interface AccessToken {
  readonly name: string;
  readonly description: string;
  readonly scopes: 'workspace' | 'workspace:read';
  /** None: all workspaces, those made later too. */
  readonly workspace_names: string[];
  /** Sources and destinations that it is limited to, with what is below them; its workspaces are theirs. */
  readonly resource_names?: string[];
  readonly create_time: string;
  readonly last_used_time?: string;
  /** SHA-256 of the plaintext, in hex. */
  readonly hash: string;
}

export interface Workspace {
  readonly name: string;
  readonly display_name: string;
  /** Ten hex digits, never used twice. */
  readonly id: string;
  readonly create_time: string;
  /** Absent until it is first set. */
  readonly quota?: Quota;
}

/** How many events the senders of a workspace may send; 0 is no limit. */
export interface Quota {
  readonly events_per_second: number;
  readonly events_per_day: number;
}

/** A source, with what belongs to it alone and is answered under names of its own. */
export interface Source {
  readonly name: string;
  readonly parent: string;
  readonly id: string;
  readonly display_name: string;
  readonly catalog_name: string;
  readonly write_keys: string[];
  readonly library_config: LibraryConfig;
  readonly labels: Record<string, string>;
  readonly oauth_keys?: OauthKey[];
  readonly create_time: string;
  /** Absent until it is first changed. */
  readonly schema_config?: SchemaSettings;
  /** Full name of the tracking plan that it is connected to; the plan may have been deleted since. */
  readonly tracking_plan?: string;
}

export interface LibraryConfig {
  readonly metrics_enabled: boolean;
  readonly retry_queue: boolean;
  readonly cross_domain_id_enabled: boolean;
  readonly api_host: string;
}

export interface OauthKey {
  readonly key_id: string;
  readonly public_key: string;
}

/** The settings of a source's schema configuration. */
export interface SchemaSettings {
  readonly allow_unplanned_track_events: boolean;
  readonly allow_unplanned_identify_traits: boolean;
  readonly allow_unplanned_group_traits: boolean;
  readonly allow_unplanned_track_event_properties: boolean;
  readonly allow_track_event_on_violations: boolean;
  readonly allow_identify_traits_on_violations: boolean;
  readonly allow_group_traits_on_violations: boolean;
  readonly allow_track_properties_on_violations: boolean;
  readonly forwarding_blocked_events_to: string;
  readonly forwarding_violations_to: string;
  readonly common_track_event_on_violations: 'ALLOW' | 'OMIT_PROPERTIES' | 'BLOCK';
  readonly common_identify_event_on_violations: 'ALLOW' | 'OMIT_TRAITS' | 'BLOCK';
  readonly common_group_event_on_violations: 'ALLOW' | 'OMIT_TRAITS' | 'BLOCK';
}

export interface Destination {
  readonly name: string;
  readonly parent: string;
  readonly display_name: string;
  /** Its entry of the catalog, where the slug does not say it. It is set when the destination is made, and never changed. */
  readonly catalog_name?: string;
  readonly enabled: boolean;
  readonly connection_mode: 'UNSPECIFIED' | 'CLOUD' | 'DEVICE';
  readonly config: ConfigEntry[];
  /** Where the shared secret was replaced; what has ended says nothing any more. */
  readonly rotation?: SecretRotation;
  /** Absent until a notice told of it. */
  readonly health?: Health;
  readonly create_time: string;
  readonly update_time: string;
}

/** What notices told last of something that can fail (D-82). Times are what people are told, and identify a state. */
export interface Health {
  readonly state: 'failing' | 'well';
  readonly since: string;
  /** Set while it is failing, from when it works again until that has lasted. */
  readonly works_since?: string;
  /** When it failed, of what is well again. */
  readonly failed_since?: string;
  /** How many states there were. */
  readonly number: number;
  /** How often it failed again within a day: the longer it has to work to be well. */
  readonly relapses: number;
  /** Its notice is yet to be accepted. */
  readonly is_untold?: boolean;
}

/** The secret in `config` is the new one (D-81). */
export interface SecretRotation {
  readonly previous_secret: string;
  readonly start_time: string;
  /** Until then the previous one is valid as well. */
  readonly end_time: string;
}

export interface ConfigEntry {
  /** `<destination>/config/<key>`. */
  readonly name: string;
  readonly display_name: string;
  readonly type: ConfigType;
  readonly value: unknown;
}

export type ConfigType =
  | 'string'
  | 'password'
  | 'color'
  | 'select'
  | 'boolean'
  | 'number'
  | 'list'
  | 'map'
  | 'mixed'
  | 'multi_line_string';

export interface TrackingPlan {
  readonly name: string;
  readonly display_name: string;
  /** As they were sent. */
  readonly rules: Record<string, unknown>;
  readonly create_time: string;
  readonly update_time: string;
}

/** Its name lacks the level that it is answered with. */
export interface Filter {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly if: string;
  readonly actions: FilterAction[];
  readonly enabled: boolean;
}

export interface FilterAction {
  readonly type:
    | 'drop_event'
    | 'sample_event'
    | 'whitelist_fields'
    | 'blacklist_fields'
    | 'allowlist_fields'
    | 'blocklist_fields';
  readonly percent?: number;
  readonly path?: string;
  readonly fields?: { readonly context?: FieldList; readonly properties?: FieldList; readonly traits?: FieldList };
}

export interface FieldList {
  /** Steps within are joined by dots, and a dot within a name has a backslash before it. */
  readonly fields: string[];
}

export const REGULATION_TYPES = [
  'Suppress',
  'Unsuppress',
  'Suppress_With_Delete',
  'Delete',
  'Delete_Internal',
] as const;

export const REGULATION_STATUSES = [
  'INITIALIZED',
  'INVALID',
  'NOT_SUPPORTED',
  'RUNNING',
  'PARTIAL_SUCCESS',
  'FAILED',
  'FINISHED',
] as const;

export type RegulationStatus = (typeof REGULATION_STATUSES)[number];

export interface Regulation {
  readonly name: string;
  readonly regulate_id: string;
  readonly parent: string;
  /** The one source that it holds for; its whole workspace without one. */
  readonly source_name?: string;
  readonly regulation_type: (typeof REGULATION_TYPES)[number];
  readonly overall_status: RegulationStatus;
  readonly source_status: { readonly source_name: string; readonly status: RegulationStatus }[];
  readonly create_time: string;
  readonly finish_time?: string;
  /** Whose events it is about, each once. Emptied when it has ended and no later event is judged by them. */
  readonly user_ids: readonly string[];
  /** While what is stored of them is deleted: all that they are known under, where that is more than these. */
  readonly known_ids?: readonly string[];
}

/** What audiences and computed traits have in common. */
interface Computed {
  readonly name: string;
  /** The trait that it is told as: fixed when it is made, and never that of another one of the workspace again. */
  readonly key: string;
  readonly display_name: string;
  readonly enabled: boolean;
  /** Full names of the destinations that it is told to. */
  readonly destinations: string[];
  /** Since when each measure of its own is counted, by the measure's hash. */
  readonly measures_from: Record<string, string>;
  /** Since when there are profiles in the workspace. */
  readonly profiles_from: string;
  readonly health?: Health;
  readonly create_time: string;
  readonly update_time: string;
}

export type Audience = Computed & { readonly definition: Definition };

export type ComputedTrait = Computed & { readonly definition: TraitDefinition };

/** Its name ends with a key that is given to no other: of a computation that was deleted, or the digest of a former write key. */
export type KeptKey = Pick<Workspace, 'name'>;

/** Since when the profiles of a workspace are kept although nothing may be computed of them; one at most. */
export type ProfileBeginning = Pick<Computed, 'name' | 'profiles_from'>;

/** One change of the configuration, and who asked for it. It has no values, and so no secrets. */
export interface AuditEntry {
  readonly name: string;
  readonly create_time: string;
  readonly operation: string;
  /** Full name of what was changed. */
  readonly resource: string;
  readonly fields: string[];
  readonly token: string;
  readonly token_description: string;
  readonly address: string;
}

/** What is stored, by the segment that names its collection. Resources are immutable: a change replaces one. */
export interface Resources {
  'access-tokens': AccessToken;
  workspaces: Workspace;
  sources: Source;
  destinations: Destination;
  'tracking-plans': TrackingPlan;
  regulations: Regulation;
  filters: Filter;
  audiences: Audience;
  'computed-traits': ComputedTrait;
  'computation-keys': KeptKey;
  'profile-beginnings': ProfileBeginning;
  'former-keys': KeptKey;
  /** By its slug, when it was removed; empty where nobody asked for that. */
  'removed-workspaces': Pick<AuditEntry, 'name' | 'create_time'>;
  'audit-entries': AuditEntry;
}

export type Kind = keyof Resources;
