/** Retry-After header; none for 0 seconds. */
export function retryAfter(seconds: number): Record<string, string> {
  return seconds > 0 ? { "retry-after": String(seconds) } : {}
}
