import { isConfigApiError } from '@waybill/client/config';

/** Something that a person can put right, in words of the console. */
export class Told extends Error {
  readonly title: string;
  constructor(title: string, message: string) {
    super(message);
    this.title = title;
  }
}

const REQUEST = /^.*? answered \d+, code \d+: /s;

/** The words of the API alone: the page knows what it asked for, and the title says of which kind the answer is. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message.replace(REQUEST, '') : String(error);
}

/** Whether the API names this field in its refusal. */
export function refuses(error: unknown, field: string): boolean {
  return isConfigApiError(error, 'InvalidArgument', 'AlreadyExists') && messageOf(error).includes(field);
}
