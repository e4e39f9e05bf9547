import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { FORBIDDEN_FORMS } from '../../cli/doctor/addresses/forbidden-forms.ts';

const WAYBILL = fileURLToPath(new URL('../../../cli/waybill.ts', import.meta.url));

test('D-28: the doctor finds every form refused by the standard settings', async () => {
  const { code, stdout } = await doctor();
  expect(stdout).toContain(`${FORBIDDEN_FORMS.length} forms: ${FORBIDDEN_FORMS.length} refused, 0 allowed`);
  expect(code).toBe(0);
});

test('the doctor names the setting that allows a form', async () => {
  const { code, stdout } = await doctor({ WAYBILL_ALLOW_NETWORKS: '10.0.0.0/8' }, '--json');
  const lines = stdout.trim().split('\n').map(parsed);
  expect(lines.length).toBe(FORBIDDEN_FORMS.length);
  expect(lines).toContainEqual({
    group: 'private IPv4',
    url: 'http://10.0.0.1/hook',
    verdict: 'allowed',
    why: 'allowed by --allow-networks 10.0.0.0/8',
  });
  expect(lines.filter(({ url }) => url === 'http://192.168.0.1/hook')).toMatchObject([{ verdict: 'refused' }]);
  expect(code).toBe(0);
});

test('the doctor takes the flags of the router, and refuses what the router refuses', async () => {
  const { code, stderr } = await doctor({}, '--allow-networks', '127/8');
  expect(stderr).toContain('--allow-networks "127/8"');
  expect(code).toBe(2);
});

interface Line {
  readonly group: string;
  readonly url: string;
  readonly verdict: string;
  readonly why: string;
}

function parsed(line: string): Line {
  const value: Line = JSON.parse(line);
  return value;
}

function doctor(
  env: Readonly<Record<string, string>> = {},
  ...args: readonly string[]
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [WAYBILL, 'doctor', '--ssrf', ...args],
      { env },
      (_error, stdout, stderr) => resolve({ code: child.exitCode, stdout, stderr }),
    );
  });
}
