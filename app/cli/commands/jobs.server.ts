import type { JobListed } from "~/billing/orders/order-admin"
import { runCliAction } from "~/flows/admin/run-operator-action.server"
import { type Call, type Command, CommandError, UsageError } from "../command"
import { counted, jsonTime, time } from "../format"

/** Lists failed jobs: parked, or waiting for an automatic retry. */
export const listJobs: Command = {
  about: "list failed jobs: parked, or waiting for a retry",
  args: [],
  async run({ billing }) {
    const jobs = await billing.operator.jobs()
    return { text: jobs.map(lineOf).join("\n") || "No parked jobs.", data: { jobs: jobs.map(jsonJob) } }
  },
}

/** Makes failed jobs due now: one job, those of an order, or all parked jobs. */
export const retryJobs: Command = {
  about: "run failed jobs now: one job, those of an order, or all parked jobs",
  args: [],
  optionalArg: "NUMBER",
  options: { reason: "why, for the audit log" },
  flags: { all: "all parked jobs" },
  audit: ({ args: [number] }) => ({
    action: "retry-job",
    subject: number === undefined ? "parked jobs" : `job or order ${number}`,
  }),
  async run({ billing, args: [number], flags, now }) {
    if ((number === undefined) !== flags.includes("all")) {
      throw new UsageError("Usage: jobs retry NUMBER|--all")
    }
    const jobs = await billing.operator.jobs(number)
    const wanted = number === undefined ? jobs.filter(({ state }) => state === "parked") : jobs
    if (number !== undefined && wanted.length === 0) {
      throw new CommandError(`Job or order "${number}" not found.`)
    }
    const ids = wanted.map(({ id }) => id)
    const count = await billing.operator.retryJobs(ids, now)
    return { text: retryMessage(count, number), data: { due: count } }
  },
}

function retryMessage(count: number, number: string | undefined): string {
  if (count === 0) return number === undefined ? "No parked jobs." : "Cannot retry: the job is running."
  return `${count === 1 ? "1 job is" : `${count} jobs are`} due now. A running shop starts due jobs within seconds.`
}

/** Discards a parked job. Its order stays unchanged; `jobs retry` still runs the job. */
export const discardJob: Command = {
  about: "discard a parked job",
  args: ["NUMBER"],
  options: { reason: "why, for the audit log" },
  async run({ billing, args: [number = ""], options, now }) {
    const job = await parkedJob({ billing }, number)
    const reason = options.reason?.trim() || null
    const request = { action: "discard-job", subject: `job ${job.id}`, reason } as const
    await runCliAction({ auditLog: billing.auditLog, now: () => now }, request, async () => {
      if (!(await billing.operator.discardJob(job.id)))
        throw new CommandError(`Cannot discard job ${job.id}: no longer parked.`)
      return { after: { topic: job.topic, order: job.orderId }, value: null }
    })
    const order = job.orderId === null ? "" : ` Order ${job.orderId} is unchanged.`
    return {
      text: `Job ${job.id} (${job.topic}) discarded.${order} To run it after all: jobs retry ${job.id}`,
      data: { number: job.id, topic: job.topic, order: job.orderId },
    }
  },
}

async function parkedJob({ billing }: Pick<Call, "billing">, number: string): Promise<JobListed> {
  const jobs = (await billing.operator.jobs(number)).filter(({ state }) => state === "parked")
  const [job] = jobs
  if (!job) throw new CommandError(`Parked job or order "${number}" not found.`)
  if (jobs.length === 1) return job
  const choice = jobs.map(({ id, topic }) => `${id} (${topic})`).join(", ")
  throw new CommandError(`Cannot discard: order ${number} has several parked jobs, name one: ${choice}`)
}

function lineOf(job: JobListed): string {
  const order = job.orderId === null ? "no order" : `order ${job.orderId}`
  return `${job.id}  ${job.topic}  ${order}  ${stateOf(job)}`
}

/** A job in `--json` output. */
export function jsonJob({ id, topic, orderId, state, tries, due, triedAt, reason }: JobListed) {
  const times = { due: jsonTime(due), triedAt: jsonTime(triedAt) }
  return { number: id, topic, order: orderId, state, tries, ...times, reason }
}

/** Formats the state of a job. */
export function stateOf({ state, tries, due, triedAt, reason }: JobListed): string {
  if (state === "discarded") return `discarded: ${reason ?? ""}`
  if (state === "parked")
    return `parked after ${counted(tries, "try", "tries")}, last tried ${time(triedAt)}: ${reason ?? ""}`
  if (tries === 0) return `running, or due ${time(due)}`
  return `failed ${counted(tries, "time")}, next try ${time(due)}: ${reason ?? ""}`
}
