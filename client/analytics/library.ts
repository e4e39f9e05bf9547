/** Goes into the `context.library` of every message; its version is the package's (LIB-18). */
export const LIBRARY = { name: '@waybill/client', version: '0.1.0' } as const;
