import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkScript } from '../../fault-script/index.ts';
import { printScript, ScriptError, toScript } from '../../index.ts';
import type { Script } from '../../index.ts';
import { anyScript } from '../support/any-script.ts';

/** Short form, what it means, and its normal form where that is another text. */
const FORMS: [text: string, script: Script, normal?: string][] = [
  ['503', [{ status: 503 }]],
  ['503x2,delay:6s,200', [{ status: 503, times: 2 }, { delay: '6s' }, { status: 200 }]],
  ['503,503,200', [{ status: 503 }, { status: 503 }, { status: 200 }]],
  [' 503 x2 ,\n200 ', [{ status: 503, times: 2 }, { status: 200 }], '503x2,200'],
  ['503x1', [{ status: 503 }], '503'],
  ['503x2+delay:1s', [{ status: 503, delay: '1s', times: 2 }], '503+delay:1s x2'],
  ['delay:1s..3s+seed:7', [{ delay: { uniform: ['1s', '3s'] }, seed: 7 }]],
  ['delay:800ms~0.50', [{ delay: { lognormal: { median: '800ms', sigma: 0.5 } } }], 'delay:800ms~0.5'],
  ['delay:60000ms', [{ delay: '1m' }], 'delay:1m'],
  ['delay:1.5s', [{ delay: '1500ms' }], 'delay:1500ms'],
  ['503+30% x*,200', [{ status: 503, chance: '30%', times: 'always' }, { status: 200 }]],
  ['track:503', [{ on: ['track'], status: 503 }]],
  ['track | page : 503x2', [{ on: ['page', 'track'], status: 503, times: 2 }], 'page|track:503x2'],
  ['302+to:self', [{ status: 302, to: 'self' }]],
  ['307+to:http://169.254.169.254/latest?a=b', [{ status: 307, to: 'http://169.254.169.254/latest?a=b' }]],
  ['429+retry-after:30s', [{ status: 429, retryAfter: '30s' }]],
  ['429+retry-after-date:90s', [{ status: 429, retryAfterDate: '90s' }]],
  [
    '200+header:"X-A: b, c"+header:X-D:e',
    [{ status: 200, headers: { 'X-A': 'b, c', 'X-D': 'e' } }],
    '200+header:"X-A: b, c"+header:"X-D: e"',
  ],
  ['200+body:"one, two + \\"three\\" x2"', [{ status: 200, body: 'one, two + "three" x2' }]],
  ['200+size:2GB', [{ status: 200, size: '2GB' }]],
  ['200+size:1024MB+gzip', [{ status: 200, size: '1GB', gzip: true }], '200+size:1GB+gzip'],
  ['size:endless+drip:1B/s', [{ size: 'endless', drip: { bytes: 1, every: '1s' } }], 'size:endless+drip:1B/1s'],
  ['drip-headers:10B/250ms', [{ dripHeaders: { bytes: 10, every: '250ms' } }]],
  ['header-size:10MB', [{ headerSize: '10MB' }]],
  ['interim:103x1000', [{ interim: { status: 103, count: 1000 } }]],
  ['silence:connect,silence:headers', [{ silence: 'connect' }, { silence: 'headers' }]],
  ['503+silence:headers', [{ status: 503, silence: 'headers' }]],
  ['reset:request x3', [{ reset: 'request', times: 3 }]],
  ['close:body', [{ close: 'body' }]],
  ['malformed:length-over', [{ malformed: 'length-over' }]],
  ['unreachable:connect_refused', [{ unreachable: 'connect_refused' }]],
];

test.each(FORMS)('D-52: %j is read and printed as shown', (text, script, normal = text) => {
  expect(toScript(text)).toEqual(script);
  expect(printScript(script)).toBe(normal);
});

test('D-52: every script in normal form survives printing and parsing', () => {
  fc.assert(
    fc.property(anyScript, (script) => {
      expect(toScript(printScript(script))).toEqual(script);
    }),
    { numRuns: 1000 },
  );
});

test('D-52: normal form is left alone by the check of the data form', () => {
  fc.assert(
    fc.property(anyScript, (script) => {
      expect(checkScript(structuredClone(script))).toEqual(script);
      expect(checkScript(JSON.parse(JSON.stringify(script)))).toEqual(script);
    }),
  );
});

test('D-52: what is printed after parsing is a normal form', () => {
  const parts = fc.constantFrom('60s', '0.5s', '90000ms', '2m').map((duration) => `delay:${duration}`);
  const space = fc.constantFrom('', ' ', '\n ');
  const step = fc
    .tuple(
      space,
      fc.constantFrom('', 'track:', 'page | track :'),
      fc.constantFrom('503', '429', 'body:"a, b"', 'drip:1B/s'),
      space,
      parts,
      space,
    )
    .map(
      ([before, types, first, between, second, after]) =>
        `${before}${types}${first}${between}+${between}${second}${after}`,
    );
  const times = fc.constantFrom('', ' x2', ' x1');
  fc.assert(
    fc.property(fc.array(fc.tuple(step, times), { minLength: 1, maxLength: 4 }), (steps) => {
      const text = steps.map((pair) => pair.join('')).join(',');
      const normal = printScript(toScript(text));
      expect(printScript(toScript(normal))).toBe(normal);
      expect(toScript(normal)).toEqual(toScript(text));
    }),
  );
});

test('any text at all gives a script or a ScriptError', () => {
  const fragments = fc.constantFrom(
    '503',
    'x2',
    ' x*',
    ',',
    '+',
    ':',
    '"',
    '\\',
    'delay',
    'track',
    '|',
    '30%',
    ' ',
    'header',
    'to',
    '..',
    '~',
    '6s',
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(fragments).map((list) => list.join('')),
      ),
      (text) => {
        expect(outcomeOf(() => toScript(text))).toMatch(/^(script|ScriptError)$/);
      },
    ),
    { numRuns: 1000 },
  );
});

test('any data at all gives a script or a ScriptError', () => {
  const words = fc.constantFrom(
    'status',
    'on',
    'delay',
    'headers',
    'drip',
    'interim',
    'times',
    'chance',
    'silence',
    'size',
    'gzip',
  );
  const step = fc.dictionary(words, fc.anything({ withBigInt: true, withNullPrototype: true }));
  fc.assert(
    fc.property(fc.oneof(fc.anything(), fc.array(step)), (data) => {
      expect(outcomeOf(() => checkScript(data))).toMatch(/^(script|ScriptError)$/);
    }),
    { numRuns: 300 },
  );
});

test('the data form need not be in normal form', () => {
  const loose = [{ status: 503, times: 1, delay: '60s' }, {}, { on: ['track', 'page', 'track'], times: 2 }];
  expect(checkScript(loose)).toEqual([
    { status: 503, delay: '1m' },
    { status: 200 },
    { on: ['page', 'track'], status: 200, times: 2 },
  ]);
});

function outcomeOf(act: () => Script): string {
  try {
    act();
    return 'script';
  } catch (error) {
    return error instanceof ScriptError ? 'ScriptError' : String(error);
  }
}
