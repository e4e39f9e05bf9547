/** A setting with a value that cannot be used. The message names the setting, the value and what would do. */
export class InvalidSetting extends Error {
  override readonly name = 'InvalidSetting';
}
