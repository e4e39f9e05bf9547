/** One statement of the engine. Each connection prepares it under its name the first time that it runs there. */
export interface Statement {
  readonly name: string;
  readonly text: string;
  /** Whether nobody knows what holds when the answer to it is lost. */
  readonly access: 'read' | 'write';
}

/** A statement that changes nothing. */
export function reads(name: string, text: string): Statement {
  return { name, text, access: 'read' };
}

/** A statement that stores, deletes, or takes what others could take. */
export function writes(name: string, text: string): Statement {
  return { name, text, access: 'write' };
}

/** Several statements at once, without values; nothing of it is prepared. */
export function script(text: string): Statement {
  return writes('', text);
}
