import { setImmediate } from "node:timers/promises"
import type { Job } from "~/billing/outbox"
import type { LoggedServices } from "~/context/services.server"

type PriceRunServices = Pick<LoggedServices, "priceMoves" | "outbox" | "now" | "wakeJobs" | "log">

/**
 * Goes on with a run that announces another price to all services of a plan, or takes it back, until it has ended or the process does;
 * then another one goes on where it was.
 */
export async function movePrices(
  { priceMoves, outbox, now, wakeJobs, log }: PriceRunServices,
  job: Job,
  signal: AbortSignal | undefined,
): Promise<void> {
  while (await priceMoves.goOn(job.subject, now())) {
    // Its messages.
    wakeJobs()
    if (signal?.aborted) return
    // SQLite runs on the thread of the pages: they come in between.
    await setImmediate()
  }
  await outbox.complete(job)
  log.info({ priceMove: job.subject }, "price move ended")
}
