/** What a command reads and writes. */
export interface Terminal {
  /** Data, on standard output. */
  print(text: string): void;
  /** False once whoever read standard output has hung up, as `head` does. */
  isRead(): boolean;
  /** Once all is printed: why not all of it was written, as on a full disk. */
  lost?(): Promise<string | undefined>;
  /** Words, on standard error. */
  say(text: string): void;
  /** All of standard input. */
  read(): Promise<string>;
  /** Asks a person; false where none can answer. */
  confirm(question: string): Promise<boolean>;
  readonly env: Readonly<Record<string, string | undefined>>;
}
