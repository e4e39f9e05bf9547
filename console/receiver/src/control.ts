import createClient from 'openapi-fetch';
import { dataOf } from '../../../client/config/server-sent-events.ts';
import type { components, paths } from '../../../generated/receiver-control.d.ts';

type Schemas = components['schemas'];
export type Endpoint = Schemas['Endpoint'];
export type Incident = Schemas['Incident'];
export type News = Schemas['News'];
export type Receiver = Schemas['Receiver'];
export type Replayed = Schemas['Replayed'];
export type Request = Schemas['Request'];
export type Signature = Schemas['Signature'];
export type Summary = Schemas['Summary'];

/** More of a body makes a browser slow; the archive has all of it. */
const SHOWN_BYTES = 200_000;

/** What the receiver said no with, in its own words. */
export class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** The receiver's control API, as the page uses it. */
export interface Control {
  readonly news: (signal: AbortSignal) => AsyncGenerator<News>;
  readonly request: (number: number, signal: AbortSignal) => Promise<Request>;
  readonly replay: (number: number, to: string) => Promise<Replayed>;
  readonly play: (script: string, endpoint: string | undefined) => Promise<unknown>;
  readonly reset: () => Promise<unknown>;
  readonly archive: () => Promise<Blob>;
}

export function createControl(baseUrl: string, token: string): Control {
  const client = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${token}` } });
  return {
    news: (signal) => newsOf(client.GET('/v1/news', { parseAs: 'stream', signal })),
    request: async (number, signal) =>
      said(
        client.GET('/v1/requests/{number}', {
          params: { path: { number }, query: { bodyLimit: SHOWN_BYTES } },
          signal,
        }),
      ),
    replay: async (number, to) =>
      said(client.POST('/v1/requests/{number}/replay', { params: { path: { number } }, body: { to } })),
    play: async (script, endpoint) =>
      said(
        client.PUT('/v1/script', { params: { query: endpoint === undefined ? {} : { endpoint } }, body: { script } }),
      ),
    reset: async () => said(client.POST('/v1/reset')),
    archive: async () => said(client.GET('/v1/archive', { parseAs: 'blob' })),
  };
}

interface Answered<Data> {
  readonly data?: Data | undefined;
  readonly error?: { readonly error: string } | undefined;
  readonly response: Response;
}

async function said<Data>(asking: Promise<Answered<Data>>): Promise<Data> {
  const { data, error, response } = await asking;
  if (data !== undefined) return data;
  throw new Refusal(response.status, error?.error ?? `The receiver answered ${response.status}`);
}

async function* newsOf(
  asking: Promise<Answered<ReadableStream<Uint8Array<ArrayBuffer>> | null>>,
): AsyncGenerator<News> {
  const stream = await said(asking);
  if (stream === null) return;
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  try {
    for await (const data of dataOf(() => reader.read())) {
      // The receiver of this page made it, from the same document.
      const news: News = JSON.parse(data);
      yield news;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}
