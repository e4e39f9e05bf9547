/** 0000-01-01 and the end of 9999: what ISO 8601 writes with four digits of the year. */
const EARLIEST = -62_167_219_200_000;
const LATEST = 253_402_300_799_999;

/** Whether an instant, in milliseconds since the epoch, is a time that an answer can hold. */
export function isWritable(instant: number): boolean {
  return instant >= EARLIEST && instant <= LATEST;
}

const MOMENT = /^(\d{4}-\d\d-\d\d)[Tt ](?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:?\d\d)$/;

/**
 * Whether a text is a time of RFC 3339, as the document has them. The check of the package for documents lets leap seconds
 * through, which no clock here shows: they would be read as no moment at all.
 */
export function isMoment(text: string): boolean {
  const [, day = ''] = MOMENT.exec(text) ?? [];
  // A day that its month lacks is read as one of the next.
  return isWritable(Date.parse(text)) && new Date(Date.parse(day)).getUTCDate() === Number(day.slice(-2));
}
