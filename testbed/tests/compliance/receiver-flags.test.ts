import { expect, test } from 'vitest';
import { FlagError } from '../../command-line/flag-values.ts';
import { readFlags, RECEIVER_FLAGS } from '../../command-line/flags.ts';
import { HELP } from '../../command-line/help.ts';
import { REPLAY_FLAGS } from '../../command-line/replay-flags.ts';
import { MALFORMATIONS, STAGES } from '../../fault-script/index.ts';
import { TLS_FAULTS } from '../../receiver/index.ts';
import { toScript } from '../../index.ts';
import { SHORT_NAMES } from '../../fault-script/short-form.ts';

test('without flags the defaults hold', () => {
  expect(readFlags([])).toEqual({ port: 9000, host: '127.0.0.1', seed: 0, json: false, help: false });
});

test('every flag is read, with either kind of equals sign', () => {
  const args = ['--port=0', '--host', '0.0.0.0', '--secret', '-x', '--script', '503x2,200', '--seed', '7', '--json'];
  expect(readFlags(args)).toEqual({
    port: 0,
    host: '0.0.0.0',
    secret: '-x',
    script: [{ status: 503, times: 2 }, { status: 200 }],
    seed: 7,
    json: true,
    help: false,
  });
});

test('files, endpoints, TLS, forwarding and control are read', () => {
  const args = ['--endpoint', '/a=503x2,200', '--endpoint=/b', '--endpoint-secret', '/b=x=y', '--tls'];
  const more = ['--forward', 'http://127.0.0.1:3000', '--record', 'r', '--har', 'h', '--control-port', '0'];
  expect(readFlags([...args, ...more])).toMatchObject({
    endpoints: { '/a': { script: [{ status: 503, times: 2 }, { status: 200 }] }, '/b': { secret: 'x=y' } },
    tls: 'none',
    forward: 'http://127.0.0.1:3000',
    record: 'r',
    har: 'h',
    controlPort: 0,
  });
});

test.each([['--tls=expired'], ['--tls', 'expired']])('a fault of TLS is read from %j %j', (...args) => {
  expect(readFlags([...args, '--json'])).toMatchObject({ tls: 'expired', json: true });
});

test.each([
  [
    ['--script', 'brown-out'],
    '--script: brown-out is an outage, and no script; play it with --outage brown-out, or in virtual time',
  ],
  [['--outage', 'brown-uot'], '--outage: "brown-uot" is no outage; did you mean brown-out?'],
  [['--outage', 'dns-flap'], 'The outage dns-flap cannot be played on sockets'],
  [['--outage', 'dead', '--speed', 'fast'], '--speed must be a number, such as 60 or 0.5, got fast'],
  [['--speed', '60'], '--speed is for an outage'],
  [['--endpoint', '/a=dead'], '--endpoint /a: dead is an outage'],
  [['--port', 'abc'], '--port must be an integer from 0 to 65535, got abc'],
  [['--port', '65536'], '--port must be an integer'],
  [['--port', '-1'], '--port must be an integer'],
  [['--port'], '--port has no value; write it after the flag'],
  [['--port', '1', '--port', '2'], '--port is given twice'],
  [['--prot', '1'], '--prot is no flag; did you mean --port?'],
  [['--color'], '--color is no flag; the flags are --port, --host'],
  [['-p', '1'], '-p is no flag'],
  [['--json=yes'], '--json=yes: this flag takes no value'],
  [['--no-json'], '--no-json'],
  [['--secret', ''], '--secret is empty'],
  [['--host', ''], '--host is empty'],
  [['--seed', '1.5'], '--seed must be an integer'],
  [['--script', '503,'], 'there is no step here'],
  [['--script', '503,200', '200'], '"200" belongs to no flag; put a value with spaces in quotation marks'],
  [['--script', 'unreachable:dns_error'], 'play it in process'],
  [['9000'], '"9000" belongs to no flag'],
  [['--tls', 'expird'], '--tls expird is no fault of TLS; did you mean expired?'],
  [['--tls', 'expired', 'more'], '"more" belongs to no flag'],
  [['--json', 'more'], '"more" belongs to no flag'],
  [['--endpoint', 'a=200'], '--endpoint needs a path that begins with /'],
  [['--endpoint', '/a=503,rest'], '--endpoint /a: Bad fault script at column 5'],
  [['--endpoint', '/a', '--endpoint', '/a=503'], '--endpoint /a is given twice'],
  [['--endpoint-secret', '/a=x'], 'there is no --endpoint /a'],
  [['--endpoint', '/a', '--endpoint-secret', '/a='], '--endpoint-secret needs a path'],
  [['--forward', 'localhost:3000'], '--forward is "localhost:3000"; give a whole http or https URL'],
  [['--record', ''], '--record is empty; give the name of a file'],
  [['--control-port', 'x'], '--control-port must be an integer'],
])('%j is refused with its name, value and way out', (args, message) => {
  expect(() => readFlags(args)).toThrow(FlagError);
  expect(() => readFlags(args)).toThrow(message);
});

test('no error repeats a part of the secret', () => {
  expect(() => readFlags(['--endpoint-secret', 'canary', 'rest'])).toThrow(
    /^What follows the value of --endpoint-secret belongs to no flag/,
  );
  expect(() => readFlags(['--endpoint-secret', 'canary'])).toThrow(/such as \/hooks\/a=s3cret$/);
  expect(() => readFlags(['--secret', 'canary', 'rest'])).toThrow(
    /^What follows the value of --secret belongs to no flag/,
  );
  expect(() => readFlags(['--secret=canary', '--secret=other'])).toThrow(/^--secret is given twice; give it once$/);
});

test('the help names every flag and every fault of TLS', () => {
  const flags = [...Object.keys(RECEIVER_FLAGS), ...Object.keys(REPLAY_FLAGS)].map((name) => `--${name}`);
  expect([...flags, ...TLS_FAULTS].filter((name) => !HELP.includes(name))).toEqual([]);
});

test('the help fits a terminal', () => {
  expect(HELP.split('\n').filter((line) => line.length > 80)).toEqual([]);
});

test('the help names every word, stage and malformation', () => {
  const inProcessOnly = ['unreachable'];
  const named = [...SHORT_NAMES, ...STAGES, ...MALFORMATIONS].filter((name) => !inProcessOnly.includes(name));
  const missing = named.filter((name) => !new RegExp(`\\b${name}\\b`).test(HELP));
  expect(missing).toEqual([]);
});

test('the steps that the help shows are steps', () => {
  const [, table = ''] = /Steps, with commas between them\n([^]*?)\n\n/.exec(HELP) ?? [];
  const cells = table.split('\n').flatMap((line) => [line.slice(2, 20), line.slice(41, 62)]);
  const shown = cells.map((cell) => cell.trim().replace('STAGE', 'request').replace('KIND', 'chunk'));
  const steps = shown.filter((cell) => cell !== '');
  expect(steps).toContain('302+to:self');
  expect(steps).toContain('reset:request');
  expect(steps.length).toBeGreaterThan(18);
  for (const step of steps) expect(() => toScript(step), step).not.toThrow();
});
