import * as fc from 'fast-check';
import type { Delay, Duration, Size } from '../../fault-script/index.ts';
import type { Script, Step } from '../../index.ts';
import { EVENT_TYPES, MALFORMATIONS, UNREACHABLES } from '../../fault-script/index.ts';

// Scripts in normal form, built without any help of the code that reads and writes them.

const duration: fc.Arbitrary<Duration> = fc.oneof(
  fc.integer({ min: 1, max: 999 }).map((n): Duration => `${n}ms`),
  seconds(),
);
const size: fc.Arbitrary<Size> = fc
  .tuple(fc.integer({ min: 1, max: 1023 }), fc.constantFrom('B' as const, 'KB' as const, 'MB' as const, 'GB' as const))
  .map(([n, unit]): Size => `${n}${unit}`);
const sigma = fc.integer({ min: 1, max: 500 }).map((n) => n / 100);
const delay: fc.Arbitrary<Delay> = fc.oneof(
  duration,
  fc.tuple(fc.integer({ min: 0, max: 999 }), seconds()).map(([from, to]): Delay => ({ uniform: [`${from}ms`, to] })),
  fc.record({ lognormal: fc.record({ median: duration, sigma }) }),
);
const drip = fc.record({ bytes: fc.integer({ min: 1, max: 1_048_576 }), every: duration });
/** Anything that can stand in a body, with what the short form has to quote. */
const text = fc
  .oneof(fc.string({ minLength: 1, unit: 'grapheme' }), fc.stringMatching(/^[ ,+:"\\x0-9%*\n\t]{1,12}$/))
  .filter((value) => value !== '');
const latin1 = fc.stringMatching(/^[!-~\u00a1-\u00ff]([ -~\u00a1-\u00ff]{0,20}[!-~\u00a1-\u00ff])?$/);
const headers = fc.uniqueArray(fc.tuple(fc.stringMatching(/^X-[A-Za-z0-9'!|~-]{1,8}$/), latin1), {
  minLength: 1,
  maxLength: 3,
  selector: ([name]) => name.toLowerCase(),
});
const status = fc.constantFrom(200, 201, 299, 400, 404, 410, 429, 500, 503, 599);

const answers: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ status }),
  fc.record({
    status: fc.constantFrom(301, 302, 303, 307, 308),
    to: fc.oneof(fc.constant('self'), fc.webUrl(), latin1),
  }),
  fc.record({ status, headers: headers.map((pairs) => Object.fromEntries(pairs)) }),
  fc.record({ status, retryAfter: seconds() }),
  fc.record({ status, retryAfterDate: seconds(), body: text }),
  fc.record({ body: text, gzip: fc.constant(true as const) }),
  fc.record({ size: fc.oneof(size, fc.constant('endless' as const)), drip }),
  fc.record({ headerSize: size, dripHeaders: drip }),
  fc.record({
    status,
    interim: fc.record({ status: fc.constantFrom(100, 102, 103), count: fc.integer({ min: 1, max: 1_000_000 }) }),
  }),
);
const late = fc.constantFrom('request' as const, 'headers' as const, 'body' as const);
const early = fc.constantFrom('connect' as const, 'upload' as const);
const endings: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ silence: late }),
  fc.record({ reset: fc.oneof(late, fc.constant('answer' as const)) }),
  fc.record({ close: late }),
  fc.record({ status, close: fc.constantFrom('headers' as const, 'body' as const, 'answer' as const) }),
  fc.record({ malformed: fc.constantFrom(...MALFORMATIONS) }),
  fc.record({ unreachable: fc.constantFrom(...UNREACHABLES) }),
);
const earlyEndings: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ silence: early }),
  fc.record({ reset: early }),
  fc.record({ close: early }),
);

const chance = fc.integer({ min: 1, max: 9999 }).map((n): `${number}%` => `${n / 100}%`);
const seed = fc.integer({ min: 0, max: 4_294_967_295 });
const when = fc.oneof(
  fc.constant({}),
  fc.record({ times: fc.integer({ min: 2, max: 1000 }) }),
  fc.record({ delay }),
  fc.record({ chance, seed }),
  fc.record({ chance, delay, times: fc.oneof(fc.integer({ min: 2, max: 1000 }), fc.constant('always' as const)) }),
);
const on = fc.subarray([...EVENT_TYPES], { minLength: 1 });

function stepFrom(kinds: fc.Arbitrary<Step>): fc.Arbitrary<Step> {
  return fc.tuple(kinds, when).map(([kind, circumstances]): Step => ({ ...kind, ...circumstances }));
}

/** A script matches by event type, or acts before reading, but never both. */
export const anyScript: fc.Arbitrary<Script> = fc.oneof(
  fc.array(stepFrom(fc.oneof(answers, endings, earlyEndings)), { minLength: 1, maxLength: 6 }),
  fc.array(
    fc
      .tuple(stepFrom(fc.oneof(answers, endings)), fc.option(on, { nil: undefined }))
      .map(([step, types]): Step => (types === undefined ? step : { ...step, on: types })),
    { minLength: 1, maxLength: 6 },
  ),
);

function seconds(): fc.Arbitrary<Duration> {
  return fc.oneof(
    fc.integer({ min: 1, max: 59 }).map((n): Duration => `${n}s`),
    fc.integer({ min: 1, max: 59 }).map((n): Duration => `${n}m`),
    fc.integer({ min: 1, max: 500 }).map((n): Duration => `${n}h`),
  );
}
