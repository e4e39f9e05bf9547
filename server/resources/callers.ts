import { hash, timingSafeEqual } from 'node:crypto';
import type { Context } from 'koa';
import { type Turns, turnsOf } from '../fairness/turns.ts';
import type { Holder } from '../http/admission.ts';
import type { ClientAddresses } from '../http/client-addresses.ts';
import type { Operation } from '../http/document.ts';
import { ApiError, notFound } from '../http/errors.ts';
import type { Allowance, RateLimit } from '../http/allowance.ts';
import { isWithin, parentOf, workspaceOf } from '../model/resource-names.ts';
import type { AccessToken } from '../model/resources.ts';
import type { ConfigStore } from '../storage/config-store.ts';
import type { PathParameters } from './names.ts';

/** Who sent a request. */
export interface Caller {
  readonly token: AccessToken;
  /** Where the request came from. */
  readonly address?: string | undefined;
}

/**
 * On whose account bodies are read, answers kept and previews made: a token can make others, of its workspaces or some of them. One of
 * several workspaces is on the account of the first by name, or whoever has ten would have a thousand accounts (SAFE-2).
 */
export function holderOf({ token: { name, workspace_names: names } }: Caller): Holder {
  const [first = name] = names.toSorted();
  return { id: first, hasKey: true };
}

/** The turns of what a caller tries out. What is delivered to the same workspace has its own. */
export function turnsOfPreviews(turns: Turns, caller: Caller): Turns {
  return turnsOf(turns, `previews of ${holderOf(caller).id}`);
}

/** An empty list means every workspace, those made later too (D-8). */
export function isBound({ token }: Caller): boolean {
  return token.workspace_names.length > 0;
}

/** Whether the caller sees a workspace, and what is below it, by the name of any of them. */
export function seesWorkspace({ token: { workspace_names: names } }: Caller, name: string): boolean {
  return names.length === 0 || names.includes(workspaceOf(name));
}

/** A bound token sees the tokens that reach no further than itself; one that is limited to resources, itself alone. */
export function seesToken(caller: Caller, { name: own, workspace_names: names }: AccessToken): boolean {
  if (isLimited(caller)) return own === caller.token.name;
  return !isBound(caller) || (names.length > 0 && names.every((name) => seesWorkspace(caller, name)));
}

/** Whether the token is limited to sources or destinations. Such a token is bound to their workspaces as well. */
export function isLimited({ token }: Caller): boolean {
  return token.resource_names !== undefined;
}

/** Whether the caller sees a resource below a workspace, or the workspace itself. */
export function sees(caller: Caller, name: string): boolean {
  const { resource_names: limits } = caller.token;
  return seesWorkspace(caller, name) && (limits === undefined || limits.some((limit) => isWithin(name, limit)));
}

/** The same for many resources: of each name, what it stands in is looked for among the resources of the token. */
export function sightOf(caller: Caller): (name: string) => boolean {
  const { resource_names: names } = caller.token;
  if (names === undefined) return (name) => seesWorkspace(caller, name);
  const limits = new Set(names);
  return (name) => {
    if (!seesWorkspace(caller, name)) return false;
    let scope = name;
    while (scope !== '' && !limits.has(scope)) scope = parentOf(scope);
    return scope !== '';
  };
}

/** The turns of looking for what is asked for in long lists. */
export function turnsOfLists(turns: Turns, caller: Caller): Turns {
  return turnsOf(turns, `lists of ${holderOf(caller).id}`);
}

/** Throws for a bound token; `what` says what belongs to no workspace. */
export function requireUnbound(caller: Caller, what: string): void {
  if (!isBound(caller)) return;
  const wayOut = 'use a token that is not bound to workspaces';
  throw new ApiError('PermissionDenied', `insufficient scope: ${what} to no workspace: ${wayOut}`);
}

/** What everybody may read. */
const CATALOG = 'catalog';

/**
 * What a token that is limited to sources or destinations may ask for, by the path alone: so it holds for operations that are
 * added too. What is named beyond its resources is a 404, as if it were not there; the one exception is the list that a
 * resource stands in, which shows no other. What names nothing is left to handlers: they show a bound token nothing of all
 * workspaces, and lists show what the token sees.
 */
export function requireWithin(caller: Caller, operation: Operation, path: PathParameters): void {
  if (!isLimited(caller) || !operation.template.includes('{')) return;
  const name = nameIn(operation.template, path);
  const { resource_names: limits = [], name: own } = caller.token;
  const isRead = operation.method === 'get';
  if (limits.some((limit) => isWithin(name, limit) || (isRead && name === listOf(limit)))) return;
  if (isRead && (name === 'access-tokens/self' || name === own || isWithin(name, CATALOG))) return;
  throw notFound(name);
}

/** Throws where a field would lead events of a limited token's source into another. */
export function requireWithinReach(caller: Caller, field: string, name: string): void {
  const { resource_names: limits } = caller.token;
  if (limits === undefined || limits.some((limit) => isWithin(name, limit))) return;
  throw new ApiError('PermissionDenied', `insufficient scope: ${field} names ${name}, which this token may not see`);
}

/** What a path names, without its version and its verb: `workspaces/main/sources/js`. */
function nameIn(template: string, path: PathParameters): string {
  const bare = template.replace(/^\/[^/]+\//, '').replace(/:[A-Za-z]+$/, '');
  return bare.replaceAll(/\{(\w+)\}/g, (_all, parameter: string) => path[parameter] ?? '');
}

function listOf(name: string): string {
  return name.slice(0, name.lastIndexOf('/'));
}

export function requireScope({ scopes }: Operation, { token }: Caller): void {
  if (!scopes.includes('write') || canWrite(token)) return;
  throw new ApiError('PermissionDenied', 'insufficient scope: this needs a token with the scope "workspace"');
}

export function canWrite({ scopes }: AccessToken): boolean {
  return scopes === 'workspace';
}

/** Write scope on everything: one such token has to stay, or nobody could ever make another. */
export function isMaster(token: AccessToken): boolean {
  return canWrite(token) && token.workspace_names.length === 0;
}

/** SHA-256 in hex: tokens are long and random, so nothing slower is needed. */
export function hashToken(plaintext: string): string {
  return hash('sha256', plaintext, 'hex');
}

/** Of a token that is limited to resources. A router of an earlier version, which knows no such limits, does not find it. */
export function hashLimitedToken(plaintext: string): string {
  return hashToken(`limited ${plaintext}`);
}

export interface IdentifyOptions {
  readonly store: ConfigStore;
  /** Requests are not counted without one. */
  readonly rateLimit?: RateLimit | undefined;
  readonly addresses: ClientAddresses;
}

/**
 * Who sends a request: the first checks (D-5). Throws Unauthenticated (CFG-12) or ResourceExhausted (CFG-17). Failures
 * to authenticate are counted by address; a good token is never refused for what others at its address got wrong, since
 * they may share a proxy.
 */
export async function identify(ctx: Context, { store, rateLimit, addresses }: IdentifyOptions): Promise<Caller> {
  const token = await authenticate(ctx.req.headers.authorization, store);
  if (token instanceof ApiError) {
    const allowance = await rateLimit?.take(`address ${addresses.forLimits(addresses.of(ctx.req))}`);
    if (allowance?.isWithin === false)
      throw tooMany(ctx, allowance, 'too many failed authentications from this address');
    ctx.set('WWW-Authenticate', 'Bearer');
    throw token;
  }
  const allowance = await rateLimit?.take(token.name);
  const caller = { token, address: addresses.of(ctx.req) };
  if (allowance === undefined) return caller;
  // What is left to the client (D-9); `X-RateLimit-Reset` is in seconds from now, like `Retry-After`.
  ctx.set({
    'X-RateLimit-Limit': String(allowance.limit),
    'X-RateLimit-Remaining': String(allowance.remaining),
    'X-RateLimit-Reset': String(allowance.resetS),
  });
  if (!allowance.isWithin) throw tooMany(ctx, allowance, 'too many requests with this token');
  const together = isBound(caller) ? await rateLimit?.take(`tokens of ${holderOf(caller).id}`, TOGETHER) : undefined;
  if (together?.isWithin === false)
    throw tooMany(ctx, together, `too many requests with the tokens of ${holderOf(caller).id}`);
  return caller;
}

/** So many times the requests of one token, all of the same account have together. */
const TOGETHER = 5;

/** The token of this header: `Bearer <token>` (CFG-12), or `Basic` with it as password (D-8); the error has no word of it. */
export async function authenticate(
  authorization: string | undefined,
  store: Pick<ConfigStore, 'tokenByHash'>,
): Promise<AccessToken | ApiError> {
  if (!authorization) return refusal('no access token: send the header `Authorization: Bearer <token>`');
  const [, scheme, credentials] = /^(bearer|basic) +(\S+) *$/i.exec(authorization) ?? [];
  const plaintext = scheme?.toLowerCase() === 'basic' ? passwordIn(credentials) : credentials;
  if (plaintext === undefined) return refusal('the Authorization header is neither `Bearer <token>` nor Basic');
  for (const hashed of [hashToken, hashLimitedToken]) {
    const digest = hashed(plaintext);
    const token = await store.tokenByHash(digest);
    // The look-up finds by hash; the comparison does not tell by its time how much of one was right.
    if (token !== undefined && timingSafeEqual(Buffer.from(token.hash), Buffer.from(digest))) return token;
  }
  return refusal('the access token is not valid');
}

function passwordIn(credentials = ''): string | undefined {
  const pair = Buffer.from(credentials, 'base64').toString('utf8');
  const colon = pair.indexOf(':');
  return colon < 0 ? undefined : pair.slice(colon + 1);
}

function refusal(message: string): ApiError {
  return new ApiError('Unauthenticated', message);
}

/** The refusal of a request that is one too many (CFG-17). */
function tooMany(ctx: Context, { limit, resetS }: Allowance, what: string): ApiError {
  ctx.set({ 'Retry-After': String(resetS), 'X-RateLimit-Reset': String(resetS) });
  return new ApiError('ResourceExhausted', `${what}: the limit is ${limit} a minute; try again in ${resetS} s`);
}
