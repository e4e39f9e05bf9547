/** Thrown for a receiver that may not be asked, and for keys and files that cannot be used. */
export class CertifyError extends Error {
  override readonly name = 'CertifyError';
}
