/** The part of POSIX ustar that holds plain files: https://pubs.opengroup.org/onlinepubs/9799919799/utilities/pax.html */
export const BLOCK = 512;

export interface TarEntry {
  /** At most 100 bytes of ASCII. */
  readonly name: string;
  readonly bytes: number;
}

/** Where each field of a header begins, and how long it is. */
const FIELDS = {
  name: [0, 100],
  mode: [100, 8],
  owner: [108, 8],
  group: [116, 8],
  size: [124, 12],
  time: [136, 12],
  sum: [148, 8],
  type: [156, 1],
  magic: [257, 8],
} as const;

const [FILE, MAGIC] = ['0', 'ustar\x0000'];
/** Eleven octal digits; what is larger is written in binary, as all tools of today read it. */
const MAX_OCTAL = 0o77777777777;

export function headerOf({ name, bytes }: TarEntry, seconds: number): Buffer {
  const header = Buffer.alloc(BLOCK);
  const put = (field: keyof typeof FIELDS, text: string): number => header.write(text, FIELDS[field][0], 'latin1');
  put('name', name);
  put('mode', '0000600\0');
  put('owner', '0000000\0');
  put('group', '0000000\0');
  if (bytes <= MAX_OCTAL) put('size', `${octal(bytes, 11)}\0`);
  else writeBinary(header, bytes);
  put('time', `${octal(seconds, 11)}\0`);
  put('type', FILE);
  put('magic', MAGIC);
  put('sum', `${octal(sumOf(header), 6)}\0 `);
  return header;
}

/** Undefined for a block of zeros, which ends an archive. Throws for what is no header of a plain file. */
export function readHeader(header: Buffer): TarEntry | undefined {
  if (header.every((byte) => byte === 0)) return undefined;
  const text = (field: keyof typeof FIELDS): string => {
    const [from, length] = FIELDS[field];
    return header.toString('latin1', from, from + length).split('\0', 1)[0] ?? '';
  };
  if (Number.parseInt(text('sum'), 8) !== sumOf(header) || text('type') !== FILE)
    throw new Error('it is no archive of files, or is damaged');
  const [at] = FIELDS.size;
  const bytes = header[at] === 0x80 ? Number(header.readBigUInt64BE(at + 4)) : Number.parseInt(text('size'), 8);
  return { name: text('name'), bytes };
}

/** Zeros from the end of a file to that of its last block. */
export function paddingOf(bytes: number): Buffer {
  return Buffer.alloc((BLOCK - (bytes % BLOCK)) % BLOCK);
}

function writeBinary(header: Buffer, bytes: number): void {
  const [at] = FIELDS.size;
  header[at] = 0x80;
  header.writeBigUInt64BE(BigInt(bytes), at + 4);
}

/** Of all bytes, those of the sum itself counted as spaces. */
function sumOf(header: Buffer): number {
  const [from, length] = FIELDS.sum;
  let sum = length * 0x20;
  for (const [index, byte] of header.entries()) if (index < from || index >= from + length) sum += byte;
  return sum;
}

function octal(value: number, digits: number): string {
  return Math.floor(value).toString(8).padStart(digits, '0');
}
