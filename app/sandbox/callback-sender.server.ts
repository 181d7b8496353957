import type { Logger } from "pino"
import { type Instant, MINUTE, SECOND } from "~/domain/calendar"
import { postMessage } from "~/http/post-message.server"
import { UpstreamError } from "~/http/upstream-error"
import type { CallbackQueue, DueReport } from "./callback-queue.server"

/** Delay in milliseconds after each failed attempt; after the last retry the callback is abandoned. */
const RETRIES = [SECOND, 2 * SECOND, 5 * SECOND, 15 * SECOND, MINUTE, 5 * MINUTE]
const TIMEOUT_MS = 15 * SECOND

export type Delivery = {
  reports: CallbackQueue
  /** Creates the signature headers; called for each attempt, because some contain a timestamp. */
  sign: (report: DueReport, at: Instant) => Record<string, string>
  now: () => Instant
  log: Logger
  /** Delays before retries, in milliseconds; overrides the defaults. */
  retries?: readonly number[]
}

export type Deliverer = {
  /** Starts a delivery run: the queue has a due report. */
  wake(): void
  /** Aborts deliveries in progress; undelivered callbacks stay in the queue for the next start. */
  stop(): Promise<void>
}

/**
 * Sends callbacks to shops in the background, starting with those left from the previous run. Retries with back-off.
 */
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
  }).catch(noResponse)
  if (stop.aborted) return
  const taken = status !== null && status >= 200 && status < 300
  const wait = taken || status === 410 ? undefined : retries[report.tries]
  reports.tried(report.number, wait === undefined ? null : now() + wait)
  log.info(
    { messageId: report.messageId, tries: report.tries + 1, status, accepted: taken },
    "sandbox callback sent",
  )
}

function noResponse(error: unknown): null {
  if (error instanceof UpstreamError) return null
  throw error
}
