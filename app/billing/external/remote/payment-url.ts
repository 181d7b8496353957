const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/** A payment URL: https, or http on loopback, without credentials. Null for any other text. */
export function payLink(text: string): string | null {
  const url = URL.parse(text)
  if (!url || url.username || url.password) return null
  const isSafe = url.protocol === "https:" || (url.protocol === "http:" && LOOPBACK.test(url.hostname))
  return isSafe ? url.href : null
}
