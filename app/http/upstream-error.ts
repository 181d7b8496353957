export type UpstreamFailure = "unavailable" | "refused" | "unreadable"

/**
 * Why a neighbour could not be used. `unavailable`: no answer in time, 5xx or 429, so later may be better.
 * `refused`: it said no (4xx, see `status`). `unreadable`: it answered something that is not an answer.
 * The message names the host and the path and never a query, a body or a header.
 */
export class UpstreamError extends Error {
  override name = "NeighbourError"
  /** The HTTP status, where there was one. */
  readonly status: number | null

  /** Nobody has waited for its end, so it may still be carried out there: our time was over, or that of a proxy. */
  readonly mayBeAtWork: boolean

  constructor(
    readonly kind: UpstreamFailure,
    message: string,
    { status, ...options }: ErrorOptions & { status?: number } = {},
  ) {
    super(message, options)
    this.status = status ?? null
    this.mayBeAtWork = status === undefined ? isTimeout(options.cause) : proxyTimeouts.includes(status)
  }
}

/** Answered by proxies that have stopped waiting for what is behind them; 524 is Cloudflare's. */
const proxyTimeouts: readonly number[] = [504, 524]

function isTimeout(cause: unknown): boolean {
  return cause instanceof Error && cause.name === "TimeoutError"
}
