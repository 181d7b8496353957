import type { Logger } from "pino"
import { type Instant, MINUTE, SECOND } from "~/domain/calendar"
import { postMessage } from "~/http/post-message.server"
import { UpstreamError } from "~/http/upstream-error"
import type { CallbackQueue, DueReport } from "./callback-queue.server"

/** How long after each try that came to nothing the next one follows; after the last it is given up. */
const RETRIES = [SECOND, 2 * SECOND, 5 * SECOND, 15 * SECOND, MINUTE, 5 * MINUTE]
const TIMEOUT_MS = 15 * SECOND

export type Delivery = {
  reports: CallbackQueue
  /** The headers that show who is speaking, made anew for each try. */
  sign: (report: DueReport, at: Instant) => Record<string, string>
  now: () => Instant
  log: Logger
  /** Other waits than the usual ones, in milliseconds. */
  retries?: readonly number[]
}

export type Deliverer = {
  /** There is something to tell. */
  wake(): void
  /** Gives up what is under way; what is not delivered is still there at the next start. */
  stop(): Promise<void>
}

/** Tells shops what has become of their payments, in the background, beginning with what an earlier run left. */
export function startCallbackSender(delivery: Delivery): Deliverer {
  const stopping = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let round: Promise<void> | null = null

  function wake() {
    clearTimeout(timer)
    if (round || stopping.signal.aborted) return
    round = deliverDue(delivery, stopping.signal)
      .then(rest)
      .catch((error: unknown) => delivery.log.error({ err: error }, "callback delivery failed"))
      .finally(() => {
        round = null
      })
  }

  function rest() {
    if (stopping.signal.aborted) return
    const next = delivery.reports.nextDue()
    if (next !== null) timer = setTimeout(wake, Math.max(0, next - delivery.now()))
  }

  wake()
  return {
    wake,
    async stop() {
      stopping.abort()
      clearTimeout(timer)
      await round
    },
  }
}

async function deliverDue(delivery: Delivery, stop: AbortSignal): Promise<void> {
  const due = delivery.reports.due(delivery.now())
  await Promise.all(due.map((report) => deliver(delivery, report, stop)))
}

async function deliver(
  { reports, sign, now, log, retries = RETRIES }: Delivery,
  report: DueReport,
  stop: AbortSignal,
) {
  const headers = { "content-type": "application/json", ...sign(report, now()) }
  const status = await postMessage(report.url, {
    headers,
    body: report.body,
    timeoutMs: TIMEOUT_MS,
    stop,
  }).catch(noAnswer)
  if (stop.aborted) return
  const taken = status !== null && status >= 200 && status < 300
  const wait = taken || status === 410 ? undefined : retries[report.tries]
  reports.tried(report.number, wait === undefined ? null : now() + wait)
  log.info(
    { messageId: report.messageId, tries: report.tries + 1, status, accepted: taken },
    "sandbox callback sent",
  )
}

function noAnswer(error: unknown): null {
  if (error instanceof UpstreamError) return null
  throw error
}
