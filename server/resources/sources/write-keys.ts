import { REDACTED } from '../../destinations/redacted-settings.ts';
import { ApiError } from '../../http/errors.ts';
import { newWriteKey } from '../identifiers.ts';

/** A source may bring the keys that devices in the field already have (D-10); one that brings none gets one. */
export function keysOfCreate(sent: readonly string[] = []): string[] {
  return sent.length === 0 ? [newWriteKey()] : [...checked(sent)];
}

/** An update replaces the whole list. An empty one would lock out every sender, so it is refused. */
export function checkKeysOfUpdate(sent: readonly string[] = []): void {
  if (sent.length === 0) throw invalid('must hold 1 to 10 keys, got none; an update replaces the whole list');
  checked(sent);
}

/** Errors do not repeat a key. What a read-only token is shown in the place of one would be a key that everybody knows. */
function checked(keys: readonly string[]): readonly string[] {
  if (new Set(keys).size < keys.length) throw invalid('holds a key twice');
  if (keys.includes(REDACTED))
    throw invalid(`holds ${REDACTED}: read the source with a token of the scope "workspace"`);
  return keys;
}

function invalid(problem: string): ApiError {
  return new ApiError('InvalidArgument', `source.write_keys ${problem}`);
}
