import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readConnection } from '../connection.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'waybill-home-'));
  mkdirSync(join(home, '.config/waybill'), { recursive: true });
});
afterEach(() => rmSync(home, { recursive: true }));

function write(text: string): void {
  writeFileSync(join(home, '.config/waybill/config.yaml'), text);
}

test('flags win over the environment, that over the file, and that over the defaults', () => {
  write('url: https://file.example.com\ntoken: from-file\nworkspace: file\n');
  const env = { HOME: home, WAYBILL_TOKEN: 'from-env', WAYBILL_WORKSPACE: '' };
  expect(readConnection({ url: 'https://flag.example.com/v1beta/' }, env)).toEqual({
    url: 'https://flag.example.com',
    token: 'from-env',
    workspace: 'file',
  });
  expect(readConnection({ token: 't' }, { HOME: '/none' })).toEqual({
    url: 'http://127.0.0.1:8080',
    token: 't',
    workspace: 'main',
  });
});

test('XDG_CONFIG_HOME says where the file is', () => {
  write('token: from-file\n');
  const env = { HOME: '/none', XDG_CONFIG_HOME: join(home, '.config') };
  expect(readConnection({}, env).token).toBe('from-file');
});

test.each([
  ['', /^no access token: give --token, set WAYBILL_TOKEN, or write "token: <token>" to .*\/waybill\/config\.yaml$/],
  ['tokn: secret-value', /config\.yaml: unknown key "tokn"; use url, token, workspace$/],
  ['token: 17', /config\.yaml: token must be a text$/],
  ['- secret-value', /must hold url, token or workspace/],
  ['token: [secret-value', /config\.yaml is neither JSON nor YAML/],
  ['token: "secret value"', /^the access token has spaces/],
  ['token: t\nurl: ftp://secret-value@x', /^--url \(WAYBILL_URL\) must be an http or https URL/],
])('the file %j is refused, without a word of its secrets', (text, words) => {
  write(text);
  const refused = catching(() => readConnection({}, { HOME: home }));
  expect(refused).toMatch(words);
  expect(refused).not.toContain('secret-value');
});

function catching(work: () => unknown): string {
  try {
    work();
    return '';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
