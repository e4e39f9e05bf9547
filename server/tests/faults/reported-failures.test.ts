import { expect, test, vi } from 'vitest';
import { report } from '../../cli/command.ts';
import { StoreUnavailable } from '../../storage/config-store.ts';
import { OutcomeUnknown, StorageUnusable } from '../../storage/errors.ts';

/** What a person reads of it. */
function told(error: unknown): string {
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  try {
    expect(report(error, 'serve')).toBe(1);
    return write.mock.calls.map(([text]) => String(text)).join('');
  } finally {
    write.mockRestore();
  }
}

const unreachable = new StoreUnavailable('the database cannot be reached: db.test:5432: connect ECONNREFUSED');

const silent = new OutcomeUnknown('the database did not answer: No space left on device (53100)');
const newer = new StorageUnusable('the database is of a newer version: upgrade this router');

test.each([unreachable, silent, newer])('storage that cannot be used is told in a line: $message', (error) => {
  expect(told(error)).toBe(`waybill: ${error.message}\n`);
});

test('of a start that failed, and could not be cleaned up after, it is told why it failed', () => {
  const twice = new SuppressedError(
    new Error('it is closed'),
    new SuppressedError(new Error('so is this'), unreachable),
  );
  expect(told(twice)).toBe(`waybill: ${unreachable.message}\n`);
});

test('what nobody foresaw is told with the place where it happened', () => {
  expect(told(new Error('unforeseen'))).toMatch(/^waybill: Error: unforeseen\n +at /);
});
