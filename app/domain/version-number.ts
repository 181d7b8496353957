/** The number of a version in an address or a command; null for what is none. */
export function versionNumberIn(text: string): number | null {
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null
}
