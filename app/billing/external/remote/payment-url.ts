const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/** Where one can pay: https, or http on loopback. Null for everything else. */
export function payLink(text: string): string | null {
  const url = URL.parse(text)
  if (!url || url.username || url.password) return null
  const isSafe = url.protocol === "https:" || (url.protocol === "http:" && LOOPBACK.test(url.hostname))
  return isSafe ? url.href : null
}
