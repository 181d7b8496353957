import type { LoggedServices } from "~/context/services.server"
import { DAY, MINUTE, SECOND } from "~/domain/calendar"
import { checkTaxNumbers } from "~/flows/jobs/check-tax-number.server"
import { dunningPass } from "~/flows/jobs/dunning.server"
import { sweep } from "~/flows/jobs/reconcile.server"
import { replanReminders } from "~/flows/jobs/replan-reminders.server"
import { resumeOrdering } from "~/flows/jobs/resume-ordering.server"
import { runBulk } from "~/flows/jobs/run-bulk.server"
import { runJobs } from "~/flows/jobs/run-jobs.server"
import { sendRefunds } from "~/flows/jobs/send-refund.server"
import { startEarlierTerms } from "~/flows/jobs/start-earlier-terms.server"
import { operatorAlerts } from "~/flows/mail/alert-operator.server"
import { runMailQueue } from "~/flows/mail/run-mail-queue.server"
import { renewFromBalance, renewFromBalances } from "~/flows/services/renew-from-balance.server"
import { deliveries } from "~/flows/webhooks/deliver-events.server"
import { publishEvents, watchForEvents } from "~/flows/webhooks/publish-events.server"

/** One batch each time, but for mail and events: what a long queue asks of the panel, a gateway or a register is spread over seconds. */
const LOOK_EVERY = 1 * SECOND
const SWEEP_EVERY = 30 * SECOND
const RESUME_EVERY = 5 * SECOND
/** A process that is killed loses the steps that it has counted since. */
const FLUSH_EVERY = 10 * SECOND
/** Upper bound of the back-off after failures: the database may be down for an hour, and the log must stay readable. */
const MAX_PAUSE = 1 * MINUTE

export type Jobs = {
  /** Runs what requests leave to do: the outbox and the queues of mail. */
  wake(): void
  /** Runs the periodic passes too, whose time has come when the shop's clock was moved. */
  wakeAll(): void
  stop(): Promise<void>
}

type Repeated = { wake(): void; stop(): Promise<void> }

/** Runs outbox jobs and reconciliation sweeps until stopped. `stop` waits for the runs that have started. */
export function startJobs(services: LoggedServices): Jobs {
  const outbox = repeat(services, { name: "outbox", every: LOOK_EVERY, run: () => runJobs(services) })
  const refunds = repeat(services, { name: "refunds", every: LOOK_EVERY, run: () => sendRefunds(services) })
  const taxNumbers = repeat(services, {
    name: "tax numbers",
    every: LOOK_EVERY,
    run: () => checkTaxNumbers(services),
  })
  const terms = repeat(services, { name: "terms", every: LOOK_EVERY, run: () => runJobs(services, "terms") })
  const bulk = startBulk(services)
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
  const reminders = repeat(services, {
    name: "reminder settings",
    every: DAY,
    run: () => replanReminders(services),
  })
  const dunning = repeat(services, {
    name: "dunning",
    every: SWEEP_EVERY,
    run: dunningPass(services, {
      holder,
      steadyNow: () => performance.now(),
      renewFromBalance: (serviceId) => renewFromBalance(services, serviceId),
    }),
  })
  const renewing = repeat(services, {
    name: "balance renewals",
    every: SWEEP_EVERY,
    run: () => renewFromBalances(services, holder),
  })
  const steps = repeat(services, {
    name: "purchase steps",
    every: FLUSH_EVERY,
    run: () => services.stepCounter.flush(),
  })
  const mail = startMail(services)
  const events = startEvents(services)
  const watching = repeat(services, {
    name: "webhook watch",
    every: SWEEP_EVERY,
    run: watchForEvents(services, holder),
  })
  const queues = [outbox, refunds, taxNumbers, terms, bulk, mail.queues, events]
  const passes = [sweeper, resuming, earlier, reminders, dunning, renewing, steps, mail.alerts, watching]
  return {
    wake: () => wakeEach(queues),
    wakeAll() {
      wakeEach(queues)
      wakeEach(passes)
    },
    async stop() {
      await Promise.all([stopEach(queues), stopEach(passes)])
      await flushLast(services)
    },
  }
}

function wakeEach(all: readonly Repeated[]): void {
  for (const repeated of all) repeated.wake()
}

async function stopEach(all: readonly Repeated[]): Promise<void> {
  await Promise.all(all.map((repeated) => repeated.stop()))
}

/** Writes what the last requests and jobs have counted. A database that is away must not keep the process from ending. */
async function flushLast({ stepCounter, log }: LoggedServices): Promise<void> {
  try {
    await stepCounter.flush()
  } catch (error) {
    log.warn({ err: error }, "purchase steps not written")
  }
}

/** Actions on many rows; `stop` ends with the row in work, and another process goes on with the others. */
function startBulk(services: LoggedServices): Repeated {
  const stopping = new AbortController()
  const { signal } = stopping
  const runs = repeat(services, { name: "bulk", every: LOOK_EVERY, run: () => runBulk(services, { signal }) })
  return {
    wake: runs.wake,
    async stop() {
      stopping.abort()
      await runs.stop()
    },
  }
}

/** The queues of mail; `stop` ends messages that are being sent, which the next start sends again. */
function startMail(services: LoggedServices): { queues: Repeated; alerts: Repeated } {
  const { mailer } = services
  if (mailer === null) return { queues: nothing, alerts: nothing }
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
  return {
    queues: {
      wake: () => wakeEach(queues),
      async stop() {
        const stopped = stopEach(queues)
        stopping.abort()
        await stopped
      },
    },
    alerts: repeat(services, { name: "alerts", every: SWEEP_EVERY, run: alerts }),
  }
}

/** Events for the operator's systems; `stop` ends those that are being sent, which the next start sends again. */
function startEvents(services: LoggedServices): Repeated {
  const { webhookSender } = services
  const stopping = new AbortController()
  const sending = webhookSender && deliveries({ ...services, webhookSender }, stopping.signal)
  const events = repeat(services, {
    name: "webhook events",
    every: LOOK_EVERY,
    run: async () => {
      await publishEvents(services)
      await sending?.start()
    },
  })
  return {
    wake: events.wake,
    async stop() {
      stopping.abort()
      await events.stop()
      await sending?.idle()
    },
  }
}

const nothing: Repeated = { wake() {}, stop: async () => {} }

type Work = { name: string; every: number; run: () => Promise<unknown> }

function repeat({ log }: LoggedServices, { name, every, run: task }: Work): Repeated {
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
