/** What the caller did wrong, with the status that says so. Its message is the answer's text. */
export class ControlError extends Error {
  override readonly name = 'ControlError';
  readonly status: number;

  constructor(status: 400 | 403 | 404 | 405 | 413 | 504, message: string, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
  }
}
