import { ApiError } from '../../http/errors.ts';
import type { LogPosition } from '../../model/logged-delivery.ts';
import { checkSum, DEFAULT_PAGE_SIZE, LARGEST_PAGE_SIZE, type PageQuery } from '../paging.ts';

export interface LogPageRequest {
  readonly before?: LogPosition;
  readonly limit: number;
}

/** 8 bytes of time, 8 of delivery, 2 of size, 14 of check sum: 43 characters of base64url. */
const TOKEN = /^[A-Za-z0-9_-]{43}$/;
const POSITION = 18;

/** As `readPage` (D-7), for a log that is read backwards: the token is good for the filter that it was given for only. */
export function readLogPage({ page_size: size = 0, page_token: token = '' }: PageQuery, list: string): LogPageRequest {
  const start: LogPageRequest = token === '' ? { limit: DEFAULT_PAGE_SIZE } : readToken(token, list);
  return { ...start, limit: Math.min(size > 0 ? size : start.limit, LARGEST_PAGE_SIZE) };
}

export function logPageToken(list: string, { receivedAt, delivery }: LogPosition, limit: number): string {
  const position = Buffer.alloc(POSITION);
  position.writeBigUInt64BE(BigInt(receivedAt));
  position.writeBigUInt64BE(BigInt(delivery), 8);
  position.writeUInt16BE(limit, 16);
  return Buffer.concat([position, checkSum(list, position)]).toString('base64url');
}

function readToken(token: string, list: string): LogPageRequest {
  const bytes = Buffer.from(TOKEN.test(token) ? token : '', 'base64url');
  const position = bytes.subarray(0, POSITION);
  if (bytes.length === 0 || !checkSum(list, position).equals(bytes.subarray(POSITION))) {
    const way = 'repeat the filter that it was given for, or begin again without one';
    throw new ApiError('InvalidArgument', `page_token is damaged, or belongs to another list: ${way}`);
  }
  const [receivedAt, delivery] = [position.readBigUInt64BE(), position.readBigUInt64BE(8)].map(Number);
  return { before: { receivedAt: receivedAt ?? 0, delivery: delivery ?? 0 }, limit: position.readUInt16BE(16) };
}
