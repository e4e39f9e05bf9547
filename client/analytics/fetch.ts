/** The part of `fetch` that the library uses, so that any implementation of it will do. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchResponse>;

export interface FetchInit {
  readonly method: 'POST';
  readonly headers: Record<string, string>;
  readonly body: string | Uint8Array<ArrayBuffer>;
  readonly redirect: 'manual';
  readonly signal: AbortSignal;
  /** Only in pages. */
  readonly keepalive?: true;
}

export interface FetchResponse {
  readonly status: number;
  /** Browsers answer a redirect that is not followed with status 0 and the type `opaqueredirect`. */
  readonly type?: string;
  readonly headers: { get(name: string): string | null };
  /** Where it is a `ReadableStream`, only its beginning is read; without, `text` gives all of it. */
  readonly body?: unknown;
  text(): Promise<string>;
}

/** Looks the global up at each request, so that one that is replaced later (by a mock, a tracer) is used. */
export const globalFetch: Fetch = (url, init) => fetch(url, init);
