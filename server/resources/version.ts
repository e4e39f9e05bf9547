import type { Context } from 'koa';
import { type Document, loadDocument } from '../http/document.ts';
import type { Validation } from '../http/validation.ts';

/** A version of the Config API: a prefix, and the document that all its paths stand in (S 9). */
export interface ApiVersion {
  /** `/v1beta`; no other service and no other version may serve below it. */
  readonly prefix: string;
  readonly document: Document;
  /** What is compiled of the document, where it is served more than once. */
  readonly validation?: Validation;
  readonly deprecation?: Deprecation;
}

/** Times in milliseconds since the epoch. */
export interface Deprecation {
  readonly since: number;
  /** When it will be served no longer: three months of notice at least (S 9.4). */
  readonly sunset: number;
  /** The prefix of the version that takes its place. */
  readonly successor: string;
}

export function v1beta(): ApiVersion {
  return { prefix: '/v1beta', document: loadDocument('config-api') };
}

/** A deprecated version says so in each answer, errors too (CFG-24): RFC 9745, RFC 8594 and RFC 8288. */
export function announce(ctx: Context, { since, sunset, successor }: Deprecation): void {
  ctx.set('Deprecation', `@${Math.floor(since / 1_000)}`);
  ctx.set('Sunset', new Date(sunset).toUTCString());
  ctx.set('Link', `<${successor}>; rel="successor-version"`);
}
