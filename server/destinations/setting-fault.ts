/** A setting of a destination that cannot be used. Its message never holds a secret. */
export class SettingFault extends Error {
  override readonly name = 'SettingFault';
  /** Where, below the setting's value: `[2].hook`; empty for the value itself. */
  readonly place: string;

  constructor(place: string, message: string) {
    super(message);
    this.place = place;
  }
}
