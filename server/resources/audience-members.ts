import type { components } from '../../generated/config-api.d.ts';
import { readDefinition } from '../audiences/definition.ts';
import { byValues, explain, type Explained, hourOfChange, measuredIn } from '../audiences/explain.ts';
import { HOUR_MS, hourOf } from '../audiences/hours.ts';
import type { Measure } from '../audiences/measure.ts';
import type { Measured, Plan } from '../audiences/plan.ts';
import { checkReferences } from '../audiences/references.ts';
import { timesOf } from '../audiences/windows.ts';
import { Semaphore } from '../fairness/semaphore.ts';
import { Shares } from '../fairness/shares.ts';
import { pathText } from '../fql/print.ts';
import { foldForRead } from '../jobs/fold-caught.ts';
import type { Definition } from '../model/definition.ts';
import { collectionOf, parentOf } from '../model/resource-names.ts';
import { allRows } from '../storage/config-store.ts';
import type { Caller } from './callers.ts';
import { missingName, readIn } from './computed.ts';
import { requireComputed } from './computed-syncs.ts';
import type { ConfigHandlers, Env } from './env.ts';
import { notFound } from '../http/errors.ts';
import { requireParent } from './kit.ts';
import { nameOf } from './names.ts';
import type { PageQuery } from './pages.ts';
import { pageOfResults, profilesOf } from './results-pages.ts';

type Schemas = components['schemas'];

/** Users that a preview names. */
const SAMPLE = 10;

interface PreviewEnv extends Env {
  /** As many at once as the storage of profiles makes beside each other, of workspaces in turn. */
  readonly previews: Semaphore;
  /** Of each workspace one at a time: each takes the storage seconds where it has a million profiles, and minutes at the limits … */
  readonly previewsOfEach: Shares;
  /** … and of explanations, of which it is asked each condition, up to a second. */
  readonly explanations: Shares;
}

type ProfilesEnv = Env & { readonly profiles: NonNullable<Env['profiles']> };

export function audienceMemberHandlers(own: Env) {
  const previews = new Semaphore(own.profiles?.previewsAtOnce ?? 1);
  const env: PreviewEnv = { ...own, previews, previewsOfEach: new Shares(1), explanations: new Shares(1) };
  return {
    listAudienceMembers: ({ path, query, caller }) => listMembers(env, nameOf('audiences', path), caller, query),
    getAudienceMember: ({ path, caller }) => explainMember(env, nameOf('audiences', path), caller, path.user),
    previewAudience: ({ path, body, caller }) => preview(env, nameOf('workspaces', path), caller, body.definition),
  } satisfies Partial<ConfigHandlers>;
}

async function listMembers(
  env: Env,
  name: string,
  caller: Caller,
  query: PageQuery,
): Promise<{ members: Schemas['AudienceMember'][]; next_page_token: string }> {
  const asked = { kind: 'audiences', name, caller } as const;
  const { results, next_page_token } = await pageOfResults(env, asked, { query, list: 'members' });
  return { members: results.map(({ user, since }) => ({ user_id: user, since_sync: since })), next_page_token };
}

async function explainMember(
  env: PreviewEnv,
  name: string,
  caller: Caller,
  user: string,
): Promise<Schemas['ExplainedMember']> {
  const profiles = profilesOf(env);
  await requireComputed(env, { kind: 'audiences', name, caller });
  return env.explanations.run(() => explainNow({ ...env, profiles }, name, user), parentOf(name), 1);
}

async function explainNow(env: ProfilesEnv, name: string, user: string): Promise<Schemas['ExplainedMember']> {
  const { profiles } = env;
  await foldForRead(env, parentOf(name));
  const { space, get } = env.directory.computations(parentOf(name));
  const hour = hourOf(env.clock.now());
  const planAt = (at: number): Plan => {
    const wanted = get(name)?.at(at);
    return wanted !== undefined && 'members' in wanted ? wanted.members : { kind: 'any', of: [] };
  };
  const plan = planAt(hour);
  const values = measuredIn(plan);
  const measures = [...new Set(values.map(({ measure }) => measure))];
  const profile = space && (await profiles.profile({ space: space.id, user, measures, values }));
  if (profile === undefined) throw notFound(`${name}/members/${user}`);
  const { traits, tiles } = profile;
  const explained = explain(plan, byValues(profile, values));
  const changes = tiles && hourOfChange(planAt, hour, { traits, tiles });
  return {
    user_id: profile.user,
    is_member: explained.holds,
    is_member_at_last_sync: profile.results.some(({ computation }) => computation === name),
    ...(changes === undefined ? {} : { change_time: new Date(changes * HOUR_MS).toISOString() }),
    explanation: explanationOf(explained, space?.measures ?? []),
  };
}

function explanationOf(explained: Explained, measures: readonly Measure[]): Schemas['ExplainedCondition'] {
  const names = explained.from ?? [];
  const trait = names.find((name) => collectionOf(name) === 'computed-traits');
  const [audience, ...around] = names.filter((name) => name !== trait).toReversed();
  const condition = {
    ...conditionOf(explained, measures),
    ...(audience === undefined ? {} : { member_of: audience }),
    ...(trait === undefined ? {} : { computed_trait: trait }),
  };
  // An audience that is nothing but another one is a group of that.
  return around.reduce<Schemas['ExplainedCondition']>(
    (inner, member_of) => ({ kind: 'all', holds: inner.holds, member_of, conditions: [inner] }),
    condition,
  );
}

function conditionOf(explained: Explained, measures: readonly Measure[]): Schemas['ExplainedCondition'] {
  const { kind, holds } = explained;
  if ('of' in explained)
    return { kind: explained.kind, holds, conditions: explained.of.map((one) => explanationOf(one, measures)) };
  const { value, is } = explained;
  const found = { holds, ...(value === undefined ? {} : { value }), is };
  if (kind === 'trait') return { kind, trait: explained.name, ...found };
  return { kind: 'events', ...measuredOf(explained.measured, measures), ...found };
}

/** Which events were looked at, and what is made of them. */
function measuredOf({ measure, aggregate, hours }: Measured, measures: readonly Measure[]) {
  const { where, of, sources } = measures.find(({ id }) => id === measure) ?? {};
  const { after, until } = timesOf(hours);
  return {
    ...(where === undefined ? {} : { where }),
    measure: aggregate,
    ...(of === undefined ? {} : { of: pathText(of) }),
    ...(sources === undefined ? {} : { sources: [...sources] }),
    ...(after === undefined ? {} : { after }),
    until,
  };
}

async function preview(
  env: PreviewEnv,
  workspace: string,
  caller: Caller,
  wanted: unknown,
): Promise<Schemas['AudiencePreview']> {
  const { store, previews, previewsOfEach } = env;
  const { definition, names } = readIn(() => readDefinition(wanted, 'definition', workspace));
  const profiles = profilesOf(env);
  await requireParent(store, caller, workspace);
  for (const named of names) if ((await store.get(named.kind, named.name)) === undefined) throw missingName(named);
  const others = (await allRows(store, 'audiences', workspace)).map(({ resource }) => resource);
  const definitions = new Map(others.map((one) => [one.name, one.definition]));
  readIn(() => checkReferences(PREVIEWED, new Map([...definitions, [PREVIEWED, definition]]), 'definition'));
  const inTurn = () => previews.run(() => previewNow({ ...env, profiles }, workspace, definition), workspace);
  return previewsOfEach.run(inTurn, workspace, 1);
}

/** What was accepted just before is counted first, which waits for the previews that are under way as well. */
async function previewNow(
  env: ProfilesEnv,
  workspace: string,
  definition: Definition,
): Promise<Schemas['AudiencePreview']> {
  const { clock, directory, profiles } = env;
  await foldForRead(env, workspace);
  const now = clock.now();
  const { space, preview: previewed } = directory.computations(workspace);
  const { historyFrom, at } = previewed(definition, new Date(now).toISOString());
  if (space === undefined) return { size: 0, sample: [], evaluated: 0, duration_ms: 0, history_from: historyFrom };
  const startedAt = clock.steady();
  const seen = await profiles.preview({ space: space.id, members: at(hourOf(now)), sample: SAMPLE });
  const duration_ms = Math.round(clock.steady() - startedAt);
  const { size, evaluated } = seen;
  return { size, sample: [...seen.sample], evaluated, duration_ms, history_from: historyFrom };
}

/** What faults call a definition that has no name. */
const PREVIEWED = 'this definition';
