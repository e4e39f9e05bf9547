/** Statuses that the Config API answers, with the code of each in the body (S 7.1). */
const CODES = { 400: 3, 401: 16, 403: 7, 404: 5, 409: 6, 501: 12 } as const;

/** A request that is answered with an error of the contract. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: keyof typeof CODES;

  constructor(status: keyof typeof CODES, message: string) {
    super(message);
    this.status = status;
  }

  /** As the contract has it (D-2). */
  get body(): { readonly error: string; readonly code: number } {
    return { error: this.message, code: CODES[this.status] };
  }
}
