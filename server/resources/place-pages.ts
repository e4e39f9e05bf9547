import { ApiError } from '../http/errors.ts';
import { checkSum, DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE, type PageQuery } from './pages.ts';

/** A page of a list whose places are texts, which what is behind it gives and reads. */
export interface PlacePage {
  readonly after?: string;
  readonly limit: number;
}

/** 2 bytes of size, the place, and 14 of check sum, in base64url. */
const TOKEN = /^[A-Za-z0-9_-]{24,6000}$/;
const CHECK_SUM = 14;

/** As `readPage` (D-7): the token is good for the list that it was given for only, its filter included. */
export function readPlacePage({ page_size: size = 0, page_token: token = '' }: PageQuery, list: string): PlacePage {
  const start: PlacePage = token === '' ? { limit: DEFAULT_PAGE_SIZE } : readToken(token, list);
  return { ...start, limit: Math.min(size > 0 ? size : start.limit, MAX_PAGE_SIZE) };
}

export function placeToken(list: string, { after = '', limit }: PlacePage): string {
  const position = Buffer.concat([Buffer.alloc(2), Buffer.from(after)]);
  position.writeUInt16BE(limit);
  return Buffer.concat([position, checkSum(list, position)]).toString('base64url');
}

function readToken(token: string, list: string): PlacePage {
  const bytes = Buffer.from(TOKEN.test(token) ? token : '', 'base64url');
  const position = bytes.subarray(0, -CHECK_SUM);
  if (bytes.length === 0 || !checkSum(list, position).equals(bytes.subarray(-CHECK_SUM))) {
    const way = 'repeat the filter that it was given for, or begin again without one';
    throw new ApiError('InvalidArgument', `page_token is invalid, or belongs to another list: ${way}`);
  }
  return { after: position.subarray(2).toString(), limit: position.readUInt16BE() };
}
