/** `connectionMode` → `connection_mode`: the other spelling that clients have for fields (D-6). */
export function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
