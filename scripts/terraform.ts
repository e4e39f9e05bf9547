/**
 * `node scripts/run.mjs scripts/terraform.ts PROVIDER`: applies, plans again, changes and destroys with `terraform` and the binary of the provider
 * `uswitch/segment` (`go build` in its repository), against a router. A second plan must find nothing to do.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startRouterProcess } from './router/router-process.ts';
import { openWayIn, type WayIn } from './terraform/way-in.ts';

const [given] = process.argv.slice(2);
if (given === undefined || !existsSync(given)) {
  console.error(`usage: terraform.ts PROVIDER, the binary of the provider uswitch/segment; got ${String(given)}`);
  process.exit(2);
}
const HOST = 'platform.segmentapis.com';
const TOKEN = 'terraform-run-token-0123456789';
const folder = mkdtempSync(join(tmpdir(), 'waybill-terraform-'));
try {
  await run(resolve(given));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function run(provider: string): Promise<void> {
  await using router = await startRouterProcess({ port: '0', 'data-dir': join(folder, 'data'), token: TOKEN });
  await using way = await openWayIn(HOST, router.url);
  const env = prepared(provider, way);
  const steps = [
    ['apply', '-auto-approve'],
    ['plan', '-detailed-exitcode'],
    ['apply', '-auto-approve', '-var', 'per_second=20'],
    ['plan', '-detailed-exitcode', '-var', 'per_second=20'],
    ['destroy', '-auto-approve'],
  ];
  for (const step of steps) {
    const told = await terraform([...step, '-no-color', '-input=false'], env);
    console.log(`${told.code === 0 ? '✓' : '✗'} terraform ${step.join(' ')}`);
    if (told.code === 0) continue;
    console.error(told.text);
    process.exitCode = 1;
  }
  for (const line of way.refused) console.error(`✗ ${line}`);
  if (way.refused.length > 0) process.exitCode = 1;
}

/** Everything that it needs besides itself is in one folder; answers its environment. */
function prepared(provider: string, way: WayIn): NodeJS.ProcessEnv {
  cpSync(fileURLToPath(new URL('terraform/', import.meta.url)), folder, { recursive: true });
  const [binaries, settings, trusted] = ['binaries', 'settings.tfrc', 'trusted.pem'].map((name) => join(folder, name));
  mkdirSync(String(binaries));
  copyFileSync(provider, join(String(binaries), 'terraform-provider-segment'));
  const override = `dev_overrides { "uswitch/segment" = ${JSON.stringify(binaries)} }`;
  writeFileSync(String(settings), `provider_installation {\n  ${override}\n  direct {}\n}\n`);
  writeFileSync(String(trusted), way.certificate);
  const names = { SEGMENT_ACCESS_TOKEN: TOKEN, SEGMENT_WORKSPACE: 'main', CHECKPOINT_DISABLE: '1' };
  const { PATH, HOME } = process.env;
  return { PATH, HOME, ...names, TF_CLI_CONFIG_FILE: settings, SSL_CERT_FILE: trusted, HTTPS_PROXY: way.proxy };
}

async function terraform(args: readonly string[], env: NodeJS.ProcessEnv): Promise<{ code: number; text: string }> {
  const child = spawn('terraform', args, { cwd: folder, env });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));
  child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));
  await once(child, 'close');
  return { code: child.exitCode ?? 1, text };
}
