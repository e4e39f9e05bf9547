import { request } from 'undici';
import { expect, test } from 'vitest';
import { librarySettings } from '../../ingestion/library-settings.ts';
import { sourceNamed } from '../support/ingestion-config-store.ts';
import { SOURCE, startIngestion, WRITE_KEY } from '../support/ingestion-server.ts';

const HERE = { host: 'events.example:8443', protocol: 'http' } as const;
const source = sourceNamed(SOURCE, WRITE_KEY);

function placeOf(api_host: string, protocol: 'http' | 'https' = 'http'): object {
  const settings = librarySettings({ ...source, library_config: { ...source.library_config, api_host } }, WRITE_KEY, {
    ...HERE,
    protocol,
  });
  const { apiHost, protocol: told } = settings.integrations['Segment.io'];
  return { apiHost, protocol: told };
}

test('ING-1: a library is told to send to the host that it asked', async () => {
  const { url } = await startIngestion();
  for (const path of ['/v1/projects', '/projects', '/v1/projects/projects']) {
    const answer = await fetch(`${url}${path}/${WRITE_KEY}/settings`);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({
      integrations: {
        'Segment.io': { apiKey: WRITE_KEY, apiHost: `${new URL(url).host}/v1`, protocol: 'http', retryQueue: true },
      },
      metrics: { sampleRate: 0 },
    });
  }
});

test('ING-1: with a public URL a library is told that, whatever the Host says', async () => {
  for (const [publicUrl, apiHost, protocol] of [
    ['https://events.example.com', 'events.example.com/v1', 'https'],
    ['http://events.example.com:81/in', 'events.example.com:81/in/v1', 'http'],
  ] as const) {
    const { url } = await startIngestion(undefined, undefined, undefined, publicUrl);
    const { headers, body } = await request(`${url}/v1/projects/${WRITE_KEY}/settings`, {
      headers: { host: 'evil.example', 'x-forwarded-proto': 'ftp' },
    });
    expect(await body.json()).toMatchObject({
      integrations: { 'Segment.io': { apiHost, protocol } },
      metrics: { host: apiHost },
    });
    expect(headers['cache-control']).toBe('public, max-age=300');
  }
});

test('ING-1: settings that name the host which was asked are kept by nobody else', async () => {
  const { url } = await startIngestion();
  const known = await fetch(`${url}/v1/projects/${WRITE_KEY}/settings`);
  expect(known.headers.get('cache-control')).toBe('private, max-age=300');
  const unknown = await fetch(`${url}/v1/projects/unknown/settings`);
  expect(unknown.headers.get('cache-control')).toBeNull();
});

test('ING-1: behind TLS a library is told https', () => {
  expect(placeOf('', 'https')).toEqual({ apiHost: 'events.example:8443/v1', protocol: 'https' });
});

test.each([
  ['in.example', 'in.example/v1', 'https'],
  ['in.example/v1', 'in.example/v1', 'https'],
  ['https://in.example/v1/', 'in.example/v1', 'https'],
  ['http://in.example:8080', 'in.example:8080/v1', 'http'],
])('ING-1: the api_host %s of a source stands over the host asked', (apiHost, place, protocol) => {
  expect(placeOf(apiHost)).toEqual({ apiHost: place, protocol });
});

test('ING-1: a source can ask libraries to report on themselves', () => {
  const asked = { ...source, library_config: { ...source.library_config, metrics_enabled: true } };
  expect(librarySettings(asked, WRITE_KEY, HERE).metrics).toEqual({ sampleRate: 0.1, host: 'events.example:8443/v1' });
});

test('D-41: the settings of an unknown key are 401, and readable by a page', async () => {
  const { url } = await startIngestion();
  const answer = await fetch(`${url}/v1/projects/unknown/settings`, { headers: { origin: 'https://shop.example' } });
  expect([answer.status, await answer.json()]).toMatchObject([401, { code: 16 }]);
  expect(answer.headers.get('access-control-allow-origin')).toBe('https://shop.example');
});
