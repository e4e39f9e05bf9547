import { createColors } from 'picocolors';
import { expect, test } from 'vitest';
import type { Outcome } from '../../../server/model/outcome.ts';
import { rehearse } from '../../outages/rehearse.ts';
import { htmlReport } from '../../report/html-report.ts';
import { kindOf } from '../../report/kind.ts';
import { pictureOf } from '../../report/picture.ts';
import { svgPicture } from '../../report/svg-picture.ts';
import { terminalComparison } from '../../report/terminal-comparison.ts';
import { BARS } from '../../report/terminal-lane.ts';
import { terminalPicture } from '../../report/terminal-picture.ts';
import { axisStep, clockText, spanText } from '../../report/time-text.ts';
import { backlogOf, totalsOf } from '../../report/totals.ts';

const certificate = pictureOf(await rehearse({ outage: 'certificate-expiry', webhooks: 2, events: 40 }));
const plain = createColors(false);
const NOTHING = { name: 'nothing', story: '', expects: '', phases: [{ lasts: '10m', script: '200' }] } as const;

test('a picture of the terminal keeps to its width, and tells the outage, lanes, parking and backlog', () => {
  for (const width of [70, 120, 200]) {
    const lines = terminalPicture(certificate, plain, width);
    expect(Math.max(...lines.slice(3, -4).map(({ length }) => length))).toBeLessThanOrEqual(width);
    const text = lines.join('\n');
    for (const word of ['certificate-expiry', 'outage  ', 'hooks1.test/1', 'hooks1.test/2', 'parked', 'waiting']) {
      expect(text).toContain(word);
    }
  }
});

test('the columns of the outage, the parking and the backlog stand where they happened', () => {
  const lines = terminalPicture(certificate, plain, 135);
  const columns = (label: string) => lines.find((line) => line.startsWith(label))?.slice(15) ?? '';
  // 120 columns for 240 minutes: the outage lasts from 10 to 100 minutes.
  expect(columns('outage')).toBe(`${' '.repeat(5)}${'▒'.repeat(45)}`);
  const parked = columns('parked');
  expect(parked.indexOf('━')).toBeGreaterThanOrEqual(5);
  expect(parked.trimEnd().length).toBeGreaterThanOrEqual(50);
  expect(columns('waiting').indexOf('█')).toBeGreaterThan(40);
});

test('a drawing has a dot for each attempt, and a parked bar for each lane', () => {
  const svg = svgPicture(certificate);
  const attempts = certificate.lanes.flatMap(({ tracks }) => tracks.flatMap(({ marks }) => marks));
  expect(svg.match(/<circle /g)).toHaveLength(attempts.length);
  expect(svg.match(/class="parked"/g)).toHaveLength(2);
  expect(svg).toMatch(/m1-\d+, attempt 2: tls_expired/);
  expect(svg).not.toMatch(/NaN|undefined|Infinity/);
});

test('a report with two policies compares their figures', async () => {
  const policy = { parkAfter: 1_000 };
  const other = pictureOf(await rehearse({ outage: 'certificate-expiry', events: 40, policy }), 'never <parked>');
  const html = htmlReport([certificate, other]);
  expect(html.match(/<svg /g)).toHaveLength(2);
  expect(html).toContain('<th>never &#60;parked&#62;</th>');
  expect(html).not.toContain('<parked>');
  expect(totalsOf(other).attempts).toBeGreaterThan(totalsOf(certificate).attempts / 2);
  expect(totalsOf(other).parkedMs).toBe(0);
});

test('what was never tried has its line too, to the end of the run', async () => {
  const dead = pictureOf(await rehearse({ outage: 'dead', hours: 2 }));
  const untried = dead.lanes.flatMap(({ tracks }) => tracks).filter(({ marks }) => marks.length === 0);
  expect(untried.length).toBeGreaterThan(10);
  const lines = svgPicture(dead).match(/class="wait" x1="[\d.]+" x2="1148"/g) ?? [];
  expect(lines.length).toBeGreaterThanOrEqual(untried.length);
});

test('without colors the kinds of failure have signs of their own', async () => {
  const flap = pictureOf(await rehearse({ outage: 'dns-flap' }));
  expect(terminalPicture(flap, plain, 120).join('\n')).toContain('✕ not reachable, reset');
  expect(terminalPicture(flap, createColors(true), 120).join('\n')).not.toContain('✕');
});

function legendAndRows(lines: readonly string[]) {
  const at = lines.findIndex((line) => line.includes('not reachable'));
  return { legend: lines[at] ?? '', rows: lines.slice(0, at).join('\n') };
}

test('the legend shows what the picture is drawn with, colored or not', async () => {
  const flap = pictureOf(await rehearse({ outage: 'dns-flap' }));
  const bare = legendAndRows(terminalPicture(flap, plain, 120));
  const signs = [...bare.legend.matchAll(/(\S) (?:delivered|not reachable)/g)].map(([, sign = '']) => sign);
  expect(signs).toEqual(['█', '✕']);
  expect(bare.rows).toContain('✕');
  const colors = createColors(true);
  const painted = legendAndRows(terminalPicture(flap, colors, 120));
  for (const [paint, words] of [[colors.green, 'delivered'] as const, [colors.red, 'not reachable'] as const]) {
    expect(painted.legend).toContain(`${paint('█')} ${words}`);
    expect(BARS.filter((bar) => painted.rows.includes(paint(bar))).length).toBeGreaterThan(0);
  }
});

test('what only passes through on its first attempt does not count as waiting', async () => {
  const [calm, flap] = [
    pictureOf(await rehearse({ outage: NOTHING })),
    pictureOf(await rehearse({ outage: 'dns-flap' })),
  ];
  expect(Math.max(...backlogOf(calm, 120))).toBe(0);
  expect(terminalPicture(calm, plain, 120).join('\n')).not.toContain('waiting');
  expect(Math.max(...backlogOf(flap, 120))).toBeGreaterThan(2);
});

test('two policies stand side by side, a column for each', async () => {
  const other = pictureOf(
    await rehearse({ outage: 'certificate-expiry', policy: { parkAfter: 1_000 } }),
    'never parked',
  );
  const lines = terminalComparison([certificate, other], plain);
  expect(lines[0]).toMatch(/^ +policy in production +never parked$/);
  expect(lines.find((line) => line.startsWith('parked'))).toMatch(/^parked +1 h \d+ min +0$/);
});

test('the figures add up, and nothing waits at the end', () => {
  const totals = totalsOf(certificate);
  expect(totals).toMatchObject({ events: 40, delivered: 40, failed: 0, expired: 0, waiting: 0 });
  expect(backlogOf(certificate, 240).at(-1)).toBe(0);
  expect(Math.max(...backlogOf(certificate, 240))).toBeGreaterThan(10);
});

test('a run that stops early tells what still waits', async () => {
  const totals = totalsOf(pictureOf(await rehearse({ outage: 'dead', hours: 1, events: 20 })));
  expect(totals.waiting).toBe(20 - totals.delivered);
  expect(totals.waiting).toBeGreaterThan(10);
});

test('spans, clocks and axes are written for people', () => {
  const spans = [undefined, 0, 350, 4_200, 200_000, 3_600_000, 7_500_000].map(spanText);
  expect(spans).toEqual(['–', '0', '350 ms', '4.2 s', '3 min 20 s', '1 h', '2 h 5 min']);
  expect([0, 5_400_000].map(clockText)).toEqual(['0:00', '1:30']);
  expect(axisStep(14_400_000, 8)).toBe(1_800_000);
});

test.each<[Outcome, string]>([
  ['delivered', 'delivered'],
  ['http_429', 'limited'],
  ['http_408', 'timeout'],
  ['first_byte_timeout', 'timeout'],
  ['http_4xx', 'refused'],
  ['tls_untrusted', 'tls'],
  ['http_5xx', 'server-error'],
  ['dns_error', 'unreachable'],
  ['reset', 'unreachable'],
])('%s is drawn as %s', (outcome, kind) => {
  expect(kindOf(outcome)).toBe(kind);
});
