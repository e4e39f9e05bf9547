import { joined } from '../../../client/webhooks/bytes.ts';

type Encoding = 'utf8' | 'latin1' | 'hex' | 'base64' | 'base64url';
type Source = string | ArrayBuffer | ArrayLike<number>;

/** As much of Node's Buffer as the router's operations use, over what browsers have. */
export class BrowserBuffer extends Uint8Array {
  static override from(source: Source | Iterable<number>, encoding?: unknown): BrowserBuffer {
    if (typeof source === 'string') return new BrowserBuffer(bytesOf(source, encoding));
    return source instanceof ArrayBuffer ? new BrowserBuffer(source) : new BrowserBuffer([...iterated(source)]);
  }

  static alloc(size: number, fill = 0): BrowserBuffer {
    return new BrowserBuffer(size).fill(fill);
  }

  static byteLength(text: string): number {
    return new TextEncoder().encode(text).length;
  }

  static concat(parts: readonly Uint8Array[]): BrowserBuffer {
    return new BrowserBuffer(joined(parts).buffer);
  }

  override toString(encoding: Encoding = 'utf8'): string {
    switch (encoding) {
      case 'hex':
        return [...this].map((byte) => byte.toString(16).padStart(2, '0')).join('');
      case 'base64':
        return btoa(this.toString('latin1'));
      case 'base64url':
        return this.toString('base64').replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
      case 'latin1':
        return [...this].map((byte) => String.fromCharCode(byte)).join('');
      case 'utf8':
        return new TextDecoder().decode(this);
    }
  }

  readUInt32BE(offset = 0): number {
    return this.readUIntBE(offset, 4);
  }

  readUIntBE(offset: number, count: number): number {
    return this.subarray(offset, offset + count).reduce((value, byte) => value * 256 + byte, 0);
  }

  readUInt16BE(offset = 0): number {
    return this.readUIntBE(offset, 2);
  }

  writeUInt16BE(value: number, offset = 0): number {
    return this.writeUIntBE(value, offset, 2);
  }

  writeUInt32BE(value: number, offset = 0): number {
    return this.writeUIntBE(value, offset, 4);
  }

  readBigUInt64BE(offset = 0): bigint {
    return new DataView(this.buffer, this.byteOffset).getBigUint64(offset);
  }

  writeBigUInt64BE(value: bigint, offset = 0): number {
    new DataView(this.buffer, this.byteOffset).setBigUint64(offset, value);
    return offset + 8;
  }

  /** Answers the place behind it, as Node does. */
  writeUIntBE(value: number, offset: number, count: number): number {
    for (let index = 0; index < count; index += 1) {
      this[offset + index] = Math.floor(value / 256 ** (count - 1 - index)) % 256;
    }
    return offset + count;
  }

  equals(other: Uint8Array): boolean {
    return this.length === other.length && this.every((byte, index) => byte === other[index]);
  }
}

function iterated(source: ArrayLike<number> | Iterable<number>): Iterable<number> {
  return Symbol.iterator in source ? source : Array.from(source);
}

/** As Node: what is no base64 is left out, and is no error. */
function bytesOf(text: string, encoding: unknown): ArrayLike<number> {
  switch (encoding) {
    case 'hex':
      return (text.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16));
    case 'base64':
    case 'base64url':
      return base64(
        text
          .replaceAll('-', '+')
          .replaceAll('_', '/')
          .replaceAll(/[^A-Za-z0-9+/]/g, ''),
      );
    default:
      return new TextEncoder().encode(text);
  }
}

function base64(letters: string): number[] {
  const whole = letters.length % 4 === 1 ? letters.slice(0, -1) : letters;
  return Array.from(atob(whole), (letter) => letter.charCodeAt(0));
}
