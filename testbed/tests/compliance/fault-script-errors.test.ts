import { expect, test } from 'vitest';
import { checkScript } from '../../fault-script/index.ts';
import { ScriptError, toScript } from '../../index.ts';

/** Bad script, its column, the step that is shown, what the message says to do. */
const BAD: readonly (readonly [text: string, column: number, seen: string, wayOut: string])[] = [
  ['', 1, 'nothing', 'write one'],
  ['503,,200', 5, 'nothing', 'take the comma away'],
  ['503,200,', 9, 'nothing', 'take the comma away'],
  ['503 200', 5, '503 200', 'a comma between steps'],
  ['503,200+', 9, '200+', 'a plus between the parts'],
  ['503,503,rset:request', 9, 'rset:request', 'did you mean reset?'],
  ['200, trak:503', 6, 'trak:503', 'did you mean track?'],
  ['200,5xx', 5, '5xx', 'write a status such as 503'],
  ['200,99', 5, '99', 'a whole number from 200 to 599'],
  ['200,delay:6', 5, 'delay:6', 'such as 6s'],
  ['200,503+delay', 9, '503+delay', 'after a colon'],
  ['200,503+delay:3s..1s', 9, '503+delay:3s..1s', 'the shorter duration first'],
  ['delay:1s~9', 1, 'delay:1s~9', 'at most 5'],
  ['delay:0s', 1, 'delay:0s', 'leave it out'],
  ['delay:1.5ms', 1, 'delay:1.5ms', 'write whole ms'],
  ['delay:900h', 1, 'delay:900h', 'at most'],
  ['503x0', 4, '503x0', 'a whole number from 1'],
  ['503+503', 5, '503+503', 'write it once'],
  ['200+100%', 5, '200+100%', 'less than 100%'],
  ['200+body:"a', 10, '200+body:"a', 'close it'],
  ['200+body:"\\q"', 5, '200+body:"\\q"', 'quotation marks as'],
  ['track|trak:200', 1, 'track|trak:200', 'page, screen, identify'],
  ['503+to:self', 5, '503+to:self', 'a status such as 302'],
  ['302+to:"http://a\\r\\nX: y"', 5, '302+to:"http://a\\r\\nX: y"', 'Latin-1 text on one line'],
  ['200+header:"A b: c"', 5, '200+header:"A b: c"', 'letters, digits and dashes'],
  ['200+header:"A: b"+header:"a: c"', 19, '200+header:"A: b"+header:"a: c"', 'write it once'],
  ['200+header:"A: b"+header:"A: c"', 19, '200+header:"A: b"+header:"A: c"', 'write it once'],
  ['200+header:"Content-Length: 3"', 5, '200+header:"Content-Length: 3"', 'malformed:length-over'],
  ['302+to:self+header:"Location: /"', 13, '302+to:self+header:"Location: /"', 'keep one of the two'],
  ['429+retry-after:1500ms', 5, '429+retry-after:1500ms', 'whole seconds'],
  ['429+retry-after:1s+retry-after-date:2s', 20, '429+retry-after:1s+retry-after-date:2s', 'in seconds or as a date'],
  ['204+body:x', 1, '204+body:x', 'leave the body out'],
  ['200+body:x+size:1KB', 12, '200+body:x+size:1KB', 'leave one out'],
  ['200+gzip', 5, '200+gzip', 'add a body or a size'],
  ['200+size:0B', 5, '200+size:0B', 'leave it out'],
  ['interim:101', 1, 'interim:101', 'write 100, 102 or 103'],
  ['drip:1B', 1, 'drip:1B', 'a number and a unit'],
  ['200+seed:4', 5, '200+seed:4', 'leave the seed out'],
  ['silence:answer', 1, 'silence:answer', 'write the status alone'],
  ['silence:nowhere', 1, 'silence:nowhere', 'connect, upload, request'],
  ['503+silence:request', 1, '503+silence:request', 'make it another step'],
  ['reset:body+close:body', 12, 'reset:body+close:body', 'make them two steps'],
  ['malformed:chunk+body:x', 17, 'malformed:chunk+body:x', 'make it another step'],
  ['204+silence:headers', 1, '204+silence:headers', 'take another status'],
  ['503x*,200', 7, '200', 'put it last'],
  ['track:503x*,page:200,track:200', 22, 'track:200', 'put it last'],
  ['track:503,reset:connect', 11, 'reset:connect', 'the stage request'],
  ['reset:upload,track:503', 1, 'reset:upload', 'the stage request'],
];

test.each(BAD)('the error for %j names column, step and way out', (text, column, seen, wayOut) => {
  const error = errorOf(() => toScript(text));
  expect(error.column).toBe(column);
  expect(error.seen).toBe(seen);
  expect(error.message).toContain(`column ${column}, step ${error.step} (${seen})`);
  expect(error.message).toContain(wayOut);
});

test('an error in the data form names the step', () => {
  const error = errorOf(() => checkScript([{ status: 503 }, { status: 503, delay: 'soon' }]));
  expect(error).toMatchObject({ step: 2, seen: "{ status: 503, delay: 'soon' }" });
  expect(error.column).toBeUndefined();
  expect(error.message).toContain("'soon' is no duration; write a number and a unit");
});

test.each([
  [{ status: 503 }, 'a list of steps'],
  [[], 'at least one step'],
  [['503'], 'a step is an object'],
  [[{ stauts: 503 }], 'did you mean status?'],
  [[{ status: '503' }], 'a whole number'],
  [[{ gzip: 1, body: 'x' }], 'data form: true'],
  [[{ drip: { bytes: 1 } }], 'such as 1B/1s'],
  [[{ on: 'track' }], 'list of event types'],
])('the data %j is refused with a way out', (data, wayOut) => {
  expect(errorOf(() => checkScript(data)).message).toContain(wayOut);
});

test('a long step is cut short in its error', () => {
  expect(errorOf(() => toScript(`200+body:${'x'.repeat(5000)}+nope`)).message.length).toBeLessThan(700);
});

function errorOf(act: () => unknown): ScriptError {
  try {
    act();
  } catch (error) {
    if (error instanceof ScriptError) return error;
    throw error;
  }
  throw new Error('The script was accepted');
}
