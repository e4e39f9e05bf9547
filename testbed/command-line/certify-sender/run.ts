import type { Result } from '../../certify/certify.ts';
import { signStatement } from '../../certify/statement.ts';
import { hasPassed } from '../../certify/verdicts.ts';
import { certifySender, type SenderReport } from '../../certify-sender/certify-sender.ts';
import { scheduleLine, scheduleOf, schedulePicture, scheduleText } from '../../certify-sender/schedule-picture.ts';
import { waitsOf } from '../../certify-sender/sent.ts';
import { schemeOf } from '../../schemes/schemes.ts';
import { spanText } from '../../report/time-text.ts';
import { writeCaFile } from '../ca-file.ts';
import { readyToCertify, say, tellCertificate, terminalStyle } from '../certify/certificate.ts';
import { checkWritable, writeText } from '../certify/files.ts';
import { groupLines, headLines, resultLines, type Style } from '../certify/lines.ts';
import { elsewhere } from '../elsewhere.ts';
import { given } from '../flag-values.ts';
import { Parts } from '../parts.ts';
import { authorityIn } from './authority-file.ts';
import type { SenderFlags } from './options.ts';
import { shellTrigger } from './shell-trigger.ts';

const LINE_WIDTH = 60;

/** Tries the sender, writes what was asked for, and answers the exit code. */
export async function runCertifySender(flags: SenderFlags): Promise<number> {
  const key = readyToCertify(flags);
  if (flags.svg !== undefined) checkWritable(flags.svg);
  const style = terminalStyle();
  const startedAt = new Date().toISOString();
  const report = await ask(flags, style);
  const { url, results, schedule, userAgent: engine } = report;
  const signed = signStatement(
    {
      kind: 'waybill-sender-certificate',
      version: 1,
      url,
      ...(flags.secret === undefined ? {} : { scheme: schemeOf(flags.scheme).name }),
      engine,
      startedAt,
      passed: hasPassed(results),
      results: results.map(({ id, verdict, words }) => ({ id, verdict, words })),
      waitsMs: waitsOf(schedule),
    },
    key,
  );
  const drawn = scheduleOf(schedule);
  const picture = drawn.length === 0 ? undefined : schedulePicture(drawn);
  if (!flags.json) say(scheduleLines(report, style));
  if (flags.svg !== undefined && picture !== undefined) writeText(flags.svg, picture);
  return tellCertificate(flags, results, signed, style, picture);
}

async function ask(flags: SenderFlags, style: Style): Promise<SenderReport> {
  await using parts = new Parts();
  const { host, port, budgetMs, retryWithinMs, maxPerSecond, ordered, scheme, secret, idField, tls, json } = flags;
  let group = '';
  return await certifySender({
    host,
    port,
    budgetMs,
    trigger: shellTrigger(flags.trigger),
    tls: typeof tls === 'object' ? authorityIn(tls.file) : tls,
    ...given('scheme', scheme),
    ordered,
    ...given('retryWithinMs', retryWithinMs),
    ...given('maxPerSecond', maxPerSecond),
    ...given('secret', secret),
    ...given('idField', idField),
    onListening: async ({ url, tls: encryption }) => {
      const kept = typeof tls === 'object' ? tls.file : undefined;
      const ca = kept ?? parts.use(await writeCaFile(encryption?.ca)).path;
      const others = elsewhere(host, url);
      if (json) return say([JSON.stringify({ kind: 'listening', url, elsewhere: others, ...given('ca', ca) })]);
      const trust = ca === undefined ? '' : ` It has to trust ${ca}.`;
      const from =
        others === undefined || others.length === 0 ? '' : ` From elsewhere it sends to ${others.join(' or ')}.`;
      say(headLines(url, `The sender sends here, for at most ${spanText(budgetMs)}.${from}${trust}`, style));
    },
    onResult: (result) => {
      if (json) return say([JSON.stringify({ kind: 'scenario', ...result })]);
      tell(result, group, style);
      group = result.group;
    },
  });
}

function tell(result: Result, last: string, style: Style): void {
  // The summary says once what became of these.
  if (result.verdict === 'not-judged') return;
  if (result.group !== last) say(groupLines(result.group, style));
  say(resultLines(result, style));
}

function scheduleLines({ schedule }: SenderReport, { colors }: Style): readonly string[] {
  const drawn = scheduleOf(schedule);
  const line = scheduleLine(drawn, LINE_WIDTH);
  return ['', colors.bold('Schedule'), ...(line === '' ? [] : [`  ${line}`]), `  ${scheduleText(drawn)}.`];
}
