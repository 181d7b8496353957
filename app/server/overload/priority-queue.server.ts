/** Work, in milliseconds, that starts in one event-loop iteration before the rest waits for the next. */
const SLICE = 20
/** Longest time, in milliseconds, that iterations only accept arrivals before queued work starts. */
const LISTEN = 10

type Waiting = { readonly since: number; begin(isAdmitted: boolean): void }

type Line = {
  /** Maximum wait in milliseconds. */
  readonly maxWait: number
  readonly waiting: Waiting[]
}

export type PriorityQueue = {
  /** How long, in milliseconds, the first entry of a priority class has been waiting. */
  waited(line: number): number
  /** Waits in a priority class until the work may start. False after the maximum wait. */
  acquire(line: number): Promise<boolean> | true
  /** Records that a connection or a request has arrived. */
  arrived(): void
}

/**
 * Priority queue for work on the event loop; `maxWaits` holds the maximum wait of each class in milliseconds, highest class
 * first. Node drains all ready callbacks before polling for I/O, so a burst of page renders delays gateway and database
 * responses until they time out. Work beyond `SLICE` per event-loop iteration is queued and started one item at a time.
 *
 * libuv accepts one connection per iteration, so under load new connections would stay unseen in the kernel's queue,
 * those with priority among them. After work, while connections or requests arrive, iterations only accept them: queued
 * work starts when no more arrive, or after `LISTEN`.
 */
export function createPriorityQueue(maxWaits: readonly number[]): PriorityQueue {
  const lines = maxWaits.map((maxWait): Line => ({ maxWait, waiting: [] }))
  /** When the current iteration started work; null while it has not. */
  let began: number | null = null
  let hasArrived = false
  /** Since when iterations only accept arrivals; null while they do not. */
  let listening: number | null = null

  function nextRound(): void {
    if (isListening()) return void setImmediate(nextRound)
    for (const line of lines) rejectAfter(line)
    const first = lines.find(({ waiting }) => waiting.length > 0)?.waiting.shift()
    began = first ? performance.now() : null
    if (!first) return
    setImmediate(nextRound)
    first.begin(true)
  }

  function isListening(): boolean {
    const now = performance.now()
    const continues = hasArrived && now - (listening ?? now) < LISTEN
    hasArrived = false
    listening = continues ? (listening ?? now) : null
    return continues
  }

  function isFree(): boolean {
    if (began === null) {
      began = performance.now()
      setImmediate(nextRound)
      return true
    }
    return (
      listening === null &&
      performance.now() - began < SLICE &&
      lines.every(({ waiting }) => waiting.length === 0)
    )
  }

  return {
    arrived() {
      hasArrived = true
    },
    waited: (line) => waitedIn(lines[line]),
    acquire(line) {
      if (isFree()) return true
      return new Promise((begin) => lines[line]?.waiting.push({ since: performance.now(), begin }))
    },
  }
}

function waitedIn(line: Line | undefined): number {
  const first = line?.waiting[0]
  return first ? performance.now() - first.since : 0
}

function rejectAfter(line: Line): void {
  while (waitedIn(line) > line.maxWait) line.waiting.shift()?.begin(false)
}
