import type { JobQueue } from "~/billing/outbox"
import { SECOND } from "~/domain/calendar"
import { JOB_LEASE, withRenewedLease } from "~/flows/jobs/renew-lease.server"
import { type MailingServices, sendMail } from "./send-mail.server"

/** Concurrent messages of a queue: the mailer's connections, and not more, since the rest would only wait for one. */
const AT_ONCE = 5
/** New messages are claimed at least this often while a slow one keeps a place. */
const LOOK_EVERY = 1 * SECOND
/** All of a message, whatever the mail server does meanwhile. */
const SENDING = 60 * SECOND

type Run = { readonly queue: Exclude<JobQueue, "services">; readonly signal: AbortSignal }

/**
 * Sends the due messages of a queue until there are none or `signal` aborts. A message that hangs keeps one place, not
 * those of the others. Throws the first unexpected failure, once all messages that were started have ended.
 */
export async function runMailQueue(services: MailingServices, { queue, signal }: Run): Promise<void> {
  const running = new Set<Promise<void>>()
  const failures: unknown[] = []

  function start(job: Parameters<typeof sendMail>[1]): void {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(SENDING)])
    const sending = withRenewedLease(services, [job], () => sendMail(services, job, limited))
      .catch((error: unknown) => void failures.push(error))
      .finally(() => running.delete(sending))
    running.add(sending)
  }

  let mayHaveMore = true

  async function claim(): Promise<void> {
    const free = AT_ONCE - running.size
    if (free === 0) return
    mayHaveMore = false
    if (signal.aborted || failures.length > 0) return
    const { outbox, now } = services
    const jobs = await outbox.claim(now(), JOB_LEASE, free, queue)
    mayHaveMore = jobs.length === free
    for (const job of jobs) start(job)
  }

  try {
    await claim()
    while (running.size > 0) {
      await oneOf(running)
      if (mayHaveMore || running.size > 0) await claim()
    }
  } finally {
    await Promise.all(running)
  }
  if (failures.length > 0) throw failures[0]
}

/** Resolves when one of the messages has ended, or after `LOOK_EVERY`. */
async function oneOf(running: ReadonlySet<Promise<void>>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, LOOK_EVERY)
  await Promise.race([...running, promise])
  clearTimeout(timer)
}
