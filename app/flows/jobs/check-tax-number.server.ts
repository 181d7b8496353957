import type { Job } from "~/billing/outbox"
import type { LoggedServices } from "~/context/services.server"
import { HOUR, MINUTE } from "~/domain/calendar"
import { runBatch } from "./run-batch.server"

const AT_ONCE = 5
/** Registers of member states are away for hours, sometimes for days. After three the job is parked for the operator. */
const BACKOFF = [5 * MINUTE, 15 * MINUTE, ...Array<number>(23).fill(HOUR), ...Array<number>(8).fill(6 * HOUR)]

/**
 * Asks for numbers for tax again that were sold to without an answer. Returns the number of jobs, 0 if none was due.
 */
export async function checkTaxNumbers(services: LoggedServices): Promise<number> {
  return runBatch(services, { queue: "tax-numbers", atOnce: AT_ONCE }, (job) => checkTaxNumber(services, job))
}

/** Repeating it changes nothing: an order that has an answer keeps it. */
async function checkTaxNumber(services: LoggedServices, job: Job): Promise<void> {
  const { billing, outbox, vatNumbers, now, log } = services
  const business = (await billing.order(job.subject))?.tax?.buyer.business
  if (business?.check.result !== "unanswered") return outbox.complete(job)
  const check = await vatNumbers.check(business.taxNumber)
  if (check.result === "unanswered") {
    const wait = BACKOFF[job.tries]
    const at = now()
    const due = wait === undefined ? null : at + wait
    return outbox.reschedule(job, { at, due, reason: "the register of tax numbers does not answer" })
  }
  const order = await billing.recordNumberCheck(job.subject, check)
  const back = order?.tax?.correction?.back ?? 0
  log.info({ orderId: job.subject, result: check.result, back }, "tax number checked later")
  await outbox.complete(job)
}
