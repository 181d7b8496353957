export type NeighbourFailure = "unavailable" | "refused" | "unreadable"

/**
 * Why a neighbour could not be used. `unavailable`: no answer in time, 5xx or 429, so later may be better.
 * `refused`: it said no (4xx, see `status`). `unreadable`: it answered something that is not an answer.
 * The message names the host and the path and never a query, a body or a header.
 */
export class NeighbourError extends Error {
  override name = "NeighbourError"
  /** The HTTP status, where there was one. */
  readonly status: number | null

  constructor(
    readonly kind: NeighbourFailure,
    message: string,
    { status, ...options }: ErrorOptions & { status?: number } = {},
  ) {
    super(message, options)
    this.status = status ?? null
  }
}
