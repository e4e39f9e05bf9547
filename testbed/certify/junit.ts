import { escaped } from '../report/markup.ts';
import type { Result } from './certify.ts';
import type { Verdict } from './scenario.ts';

const SKIPPED: ReadonlySet<Verdict> = new Set(['skipped', 'not-asked', 'not-judged']);

/** The results as JUnit XML, which every CI shows. */
export function junitReport(results: readonly Result[], url: string): string {
  const failures = results.filter(({ verdict }) => verdict === 'failed').length;
  const seconds = results.reduce((sum, { ms }) => sum + ms, 0) / 1_000;
  const skipped = results.filter(({ verdict }) => SKIPPED.has(verdict)).length;
  const cases = results.map(({ id, title, verdict, words, ms }) => {
    const inner = innerOf(verdict, safe(words));
    return `    <testcase classname="waybill.certify" name="${safe(`${id}: ${title}`)}" time="${ms / 1_000}">${inner}</testcase>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
  <testsuite name="${safe(`Waybill certificate of ${url}`)}" tests="${results.length}" failures="${failures}" errors="0" skipped="${skipped}" time="${seconds}">
${cases.join('\n')}
  </testsuite>
</testsuites>
`;
}

function innerOf(verdict: Verdict, words: string): string {
  switch (verdict) {
    case 'passed':
      return `<system-out>${words}</system-out>`;
    case 'advice':
      return `<system-out>advice: ${words}</system-out>`;
    case 'failed':
      return `<failure message="${words}"/>`;
    case 'skipped':
    case 'not-asked':
    case 'not-judged':
      return `<skipped message="${words}"/>`;
  }
}

/** XML 1.0 has no control characters, not even escaped ones. */
function safe(text: string): string {
  return escaped(text.replaceAll(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd'));
}
