/** Retry-After header; none for 0 seconds, or null. */
export function retryAfter(seconds: number | null): Record<string, string> {
  return seconds !== null && seconds > 0 ? { "retry-after": String(seconds) } : {}
}
