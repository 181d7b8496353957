import type { LoggedServices } from "~/context/services.server"
import { DAY, MINUTE, SECOND } from "~/domain/calendar"
import { dunningPass } from "~/flows/jobs/dunning.server"
import { sweep } from "~/flows/jobs/reconcile.server"
import { resumeOrdering } from "~/flows/jobs/resume-ordering.server"
import { runJobs } from "~/flows/jobs/run-jobs.server"
import { startEarlierTerms } from "~/flows/jobs/start-earlier-terms.server"
import { operatorAlerts } from "~/flows/mail/alert-operator.server"
import { runMailQueue } from "~/flows/mail/run-mail-queue.server"
import { renewFromBalances } from "~/flows/services/renew-from-balance.server"

const LOOK_EVERY = 1 * SECOND
const SWEEP_EVERY = 30 * SECOND
const RESUME_EVERY = 5 * SECOND
/** Upper bound of the back-off after failures: the database may be down for an hour, and the log must stay readable. */
const MAX_PAUSE = 1 * MINUTE

export type Jobs = { wake(): void; stop(): Promise<void> }

/** Runs outbox jobs and reconciliation sweeps until stopped. `stop` waits for the runs that have started. */
export function startJobs(services: LoggedServices): Jobs {
  const outbox = repeat(services, { name: "outbox", every: LOOK_EVERY, run: () => runJobs(services) })
  const terms = repeat(services, { name: "terms", every: LOOK_EVERY, run: () => runJobs(services, "terms") })
  const holder = services.newId()
  const sweeper = repeat(services, { name: "sweep", every: SWEEP_EVERY, run: () => sweep(services, holder) })
  const resuming = repeat(services, {
    name: "resume ordering",
    every: RESUME_EVERY,
    run: () => resumeOrdering(services),
  })
  // At the start, and later for what an older instance or a restored backup has added.
  const earlier = repeat(services, {
    name: "earlier terms",
    every: DAY,
    run: () => startEarlierTerms(services),
  })
  const dunning = repeat(services, {
    name: "dunning",
    every: SWEEP_EVERY,
    run: dunningPass(services, { holder, steadyNow: () => performance.now() }),
  })
  const renewing = repeat(services, {
    name: "balance renewals",
    every: SWEEP_EVERY,
    run: () => renewFromBalances(services, holder),
  })
  const mailQueues = startMail(services)
  return {
    wake() {
      outbox.wake()
      terms.wake()
      mailQueues.wake()
    },
    stop: async () =>
      void (await Promise.all([
        outbox.stop(),
        terms.stop(),
        sweeper.stop(),
        resuming.stop(),
        earlier.stop(),
        dunning.stop(),
        renewing.stop(),
        mailQueues.stop(),
      ])),
  }
}

/** The queues of mail; `stop` ends messages that are being sent, which the next start sends again. */
function startMail(services: LoggedServices): Jobs {
  const { mailer } = services
  if (mailer === null) return { wake() {}, stop: async () => {} }
  const stopping = new AbortController()
  const { signal } = stopping
  const queues = (["sign-in-mail", "mail"] as const).map((queue) =>
    repeat(services, {
      name: queue,
      every: LOOK_EVERY,
      run: () => runMailQueue({ ...services, mailer }, { queue, signal }),
    }),
  )
  const alerts = operatorAlerts(services, services.newId())
  const watch = repeat(services, { name: "alerts", every: SWEEP_EVERY, run: alerts })
  return {
    wake() {
      for (const queue of queues) queue.wake()
    },
    async stop() {
      const stopped = Promise.all([watch.stop(), ...queues.map((queue) => queue.stop())])
      stopping.abort()
      await stopped
    },
  }
}

type Work = { name: string; every: number; run: () => Promise<unknown> }

function repeat({ log }: LoggedServices, { name, every, run: task }: Work) {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | null = null
  let again = false
  let stopped = false
  let pause = every

  async function run() {
    do {
      again = false
      await once()
    } while (again && !stopped)
  }

  /** A failed run must not end the loop: its jobs are still in the outbox. */
  async function once() {
    try {
      await task()
      pause = every
    } catch (error) {
      log.error({ err: error, job: name }, "job failed")
      pause = Math.min(pause * 2, MAX_PAUSE)
    }
  }

  function wake() {
    if (stopped) return
    again = true
    clearTimeout(timer)
    running ??= run().finally(() => {
      running = null
      if (!stopped) timer = setTimeout(wake, pause).unref()
    })
  }

  wake()
  return {
    wake,
    async stop() {
      stopped = true
      clearTimeout(timer)
      await running
    },
  }
}
