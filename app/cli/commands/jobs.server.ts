import type { JobListed } from "~/billing/embedded/admin/jobs.server"
import { type Call, type Command, CommandError } from "../command"
import { time } from "../format"

/** Lists failed jobs: parked, or waiting for an automatic retry. */
export const listJobs: Command = {
  args: [],
  async run({ billing }) {
    const jobs = await billing.operator.jobs()
    return jobs.map(lineOf).join("\n") || "No parked jobs."
  },
}

/** Makes failed jobs due now: one job, those of an order, or all parked jobs. */
export const retryJobs: Command = {
  args: [],
  optionalArg: "NUMBER",
  flags: ["all"],
  async run({ billing, args: [number], flags, now }) {
    if ((number === undefined) !== flags.includes("all")) {
      throw new CommandError("Usage: jobs retry NUMBER|--all")
    }
    const jobs = await billing.operator.jobs(number)
    const wanted = number === undefined ? jobs.filter(({ state }) => state === "parked") : jobs
    if (number !== undefined && wanted.length === 0) {
      throw new CommandError(`Job or order "${number}" not found.`)
    }
    const ids = wanted.map(({ id }) => id)
    const count = await billing.operator.retryJobs(ids, now)
    if (count === 0) return number === undefined ? "No parked jobs." : "Cannot retry: the job is running."
    return `${count === 1 ? "1 job is" : `${count} jobs are`} due now. A running shop starts due jobs within seconds.`
  },
}

/** Discards a parked job. Its order stays unchanged; `jobs retry` still runs the job. */
export const discardJob: Command = {
  args: ["NUMBER"],
  async run({ billing, args: [number = ""] }) {
    const job = await parkedJob({ billing }, number)
    if (!(await billing.operator.discardJob(job.id)))
      throw new CommandError(`Cannot discard job ${job.id}: no longer parked.`)
    const order = job.orderId === null ? "" : ` Order ${job.orderId} is unchanged.`
    return `Job ${job.id} (${job.topic}) discarded.${order} To run it after all: jobs retry ${job.id}`
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

/** Formats the state of a job. */
export function stateOf({ state, tries, due, triedAt, reason }: JobListed): string {
  if (state === "discarded") return `discarded: ${reason ?? ""}`
  if (state === "parked") return `parked after ${tries} tries, last tried ${time(triedAt)}: ${reason ?? ""}`
  if (tries === 0) return `running, or due ${time(due)}`
  return `failed ${tries} times, next try ${time(due)}: ${reason ?? ""}`
}
