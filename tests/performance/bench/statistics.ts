/** Statistics of a series of responses; times in milliseconds. */
export type Statistics = {
  readonly perSecond: number
  /**
   * Responses per second of the server's processor time, independent of other load on the machine. Null if the
   * processor is not the bottleneck.
   */
  readonly perCore: number | null
  readonly p50: number
  readonly p99: number
}

/** Computes statistics from response times that were measured within `seconds`. */
export function figures(times: readonly number[], seconds: number, processor?: number): Statistics {
  const sorted = [...times].sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  const perCore = processor === undefined ? null : sorted.length / processor
  return { perSecond: sorted.length / seconds, perCore, p50: at(0.5), p99: at(0.99) }
}

/** Median; for an even number of values the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const [low = 0, high = low] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[sorted.length >> 1]]
  return (low + high) / 2
}

/** Repeats an action for some seconds with the given concurrency. */
export async function again(
  once: () => Promise<void>,
  seconds: number,
  atATime: number,
): Promise<Statistics> {
  const times: number[] = []
  const started = performance.now()
  const end = started + seconds * 1_000

  async function lane() {
    while (performance.now() < end) {
      const start = performance.now()
      await once()
      times.push(performance.now() - start)
    }
  }

  await Promise.all(Array.from({ length: atATime }, lane))
  return figures(times, (performance.now() - started) / 1_000)
}
