import { escaped } from '../report/markup.ts';
import type { Result } from './certify.ts';

/** The results as JUnit XML, which every CI shows. */
export function junitReport(results: readonly Result[], url: string): string {
  const failures = results.filter(({ verdict }) => verdict === 'failed').length;
  const seconds = results.reduce((sum, { ms }) => sum + ms, 0) / 1_000;
  const cases = results.map(({ id, title, verdict, words, ms }) => {
    const inner =
      verdict === 'failed'
        ? `<failure message="${safe(words)}"/>`
        : `<system-out>${safe(verdict === 'advice' ? `advice: ${words}` : words)}</system-out>`;
    return `    <testcase classname="waybill.certify" name="${safe(`${id}: ${title}`)}" time="${ms / 1_000}">${inner}</testcase>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
  <testsuite name="${safe(`Waybill certificate of ${url}`)}" tests="${results.length}" failures="${failures}" errors="0" skipped="0" time="${seconds}">
${cases.join('\n')}
  </testsuite>
</testsuites>
`;
}

/** XML 1.0 has no control characters, not even escaped ones. */
function safe(text: string): string {
  return escaped(text.replaceAll(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd'));
}
