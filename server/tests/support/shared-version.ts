import { createValidation } from '../../http/validation.ts';
import { type ApiVersion, v1beta } from '../../resources/version.ts';

const PRESENT = v1beta();

/** The present version of the Config API, for the many that tests start in a process: its document is read and compiled once for all. */
export const SHARED_VERSION = { ...PRESENT, validation: createValidation(PRESENT.document) } satisfies ApiVersion;
