/** In milliseconds: so much is begun in one round of the event loop before the others have to wait for the next. */
const SLICE = 20
/** In milliseconds: for so long arrivals alone are taken in before the next is begun. */
const LISTEN = 10

type Waiting = { readonly since: number; begin(mayBegin: boolean): void }

type Line = {
  /** For how many milliseconds somebody waits here at most. */
  readonly patience: number
  readonly waiting: Waiting[]
}

export type PriorityQueue = {
  /** For how long, in milliseconds, the first of a line has been waiting. */
  waited(line: number): number
  /** Waits for its turn in a line. False: it has not come in time. */
  take(line: number): Promise<boolean> | true
  /** Says that a connection or a request has arrived. */
  arrived(): void
}

/**
 * Lines in which work waits to be begun, those further ahead first; `patience` of each in milliseconds. Node begins
 * everything that has arrived before it looks at the network again: a crowd's pages, one after the other, keep it from
 * hearing what gateways and books have long answered, until their time is over and they are taken for dead. So what is
 * more than a slice is begun one at a time, with a look at the network in between.
 *
 * One look accepts a single connection: libuv takes one from the kernel's queue in each round. A crowd of new ones would
 * wait there unseen, those with priority among them. So after work, while connections or requests arrive, rounds only
 * take them in: what waits is begun when all who have come stand in their lines, or after `LISTEN`.
 */
export function createPriorityQueue(patience: readonly number[]): PriorityQueue {
  const lines = patience.map((patience): Line => ({ patience, waiting: [] }))
  /** When the present round has begun something; null while it has not. */
  let began: number | null = null
  let hasArrived = false
  /** Since when arrivals alone have been taken in; null while they are not. */
  let listening: number | null = null

  function nextRound(): void {
    if (isListening()) return void setImmediate(nextRound)
    for (const line of lines) giveUpIn(line)
    const first = lines.find(({ waiting }) => waiting.length > 0)?.waiting.shift()
    began = first ? performance.now() : null
    if (!first) return
    setImmediate(nextRound)
    first.begin(true)
  }

  function isListening(): boolean {
    const now = performance.now()
    const goesOn = hasArrived && now - (listening ?? now) < LISTEN
    hasArrived = false
    listening = goesOn ? (listening ?? now) : null
    return goesOn
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
    take(line) {
      if (isFree()) return true
      return new Promise((begin) => lines[line]?.waiting.push({ since: performance.now(), begin }))
    },
  }
}

function waitedIn(line: Line | undefined): number {
  const first = line?.waiting[0]
  return first ? performance.now() - first.since : 0
}

function giveUpIn(line: Line): void {
  while (waitedIn(line) > line.patience) line.waiting.shift()?.begin(false)
}
