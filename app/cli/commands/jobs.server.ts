import type { JobListed } from "~/billing/embedded/admin/jobs.server"
import { type Call, type Command, CommandError } from "../command"
import { time } from "../format"

/** What has failed: parked, or tried again by itself. */
export const listJobs: Command = {
  args: [],
  async run({ billing }) {
    const jobs = await billing.operator.jobs()
    return jobs.map(lineOf).join("\n") || "Nothing waits for you."
  },
}

/** Has jobs carried out now: one, those of an order, or all that are parked. */
export const retryJobs: Command = {
  args: [],
  mayTake: "NUMBER",
  flags: ["all"],
  async run({ billing, args: [number], flags, now }) {
    if ((number === undefined) !== flags.includes("all")) {
      throw new CommandError('That is written "jobs retry NUMBER" or "jobs retry --all".')
    }
    const jobs = await billing.operator.jobs(number)
    const wanted = number === undefined ? jobs.filter(({ state }) => state === "parked") : jobs
    if (number !== undefined && wanted.length === 0) {
      throw new CommandError(`No job is "${number}", and no order of that number waits for one.`)
    }
    const ids = wanted.map(({ id }) => id)
    const count = await billing.operator.retryJobs(ids, now)
    if (count === 0) return number === undefined ? "No job is parked." : "It is being carried out just now."
    return `${count === 1 ? "One job is" : `${count} jobs are`} due now. A running shop takes up what is due within seconds.`
  },
}

/** Gives a parked job up: nothing more is done for its order unless it is retried after all. */
export const discardJob: Command = {
  args: ["NUMBER"],
  async run({ billing, args: [number = ""] }) {
    const job = await parkedJob({ billing }, number)
    if (!(await billing.operator.discardJob(job.id)))
      throw new CommandError(`Job ${job.id} is not parked any more.`)
    const order = job.orderId === null ? "" : ` Order ${job.orderId} stays as it is.`
    return `Job ${job.id} (${job.topic}) is discarded.${order} To have it done after all: jobs retry ${job.id}`
  },
}

async function parkedJob({ billing }: Pick<Call, "billing">, number: string): Promise<JobListed> {
  const jobs = (await billing.operator.jobs(number)).filter(({ state }) => state === "parked")
  const [job] = jobs
  if (!job) throw new CommandError(`No parked job is "${number}", or waits for an order of that number.`)
  if (jobs.length === 1) return job
  const choice = jobs.map(({ id, topic }) => `${id} (${topic})`).join(", ")
  throw new CommandError(`Order ${number} has several parked jobs: discard one by its own number: ${choice}`)
}

function lineOf(job: JobListed): string {
  const order = job.orderId === null ? "of no order" : `order ${job.orderId}`
  return `${job.id}  ${job.topic}  ${order}  ${stateOf(job)}`
}

/** How a job stands, in words. */
export function stateOf({ state, tries, due, triedAt, reason }: JobListed): string {
  if (state === "discarded") return `discarded: ${reason ?? ""}`
  if (state === "parked") return `parked after ${tries} tries, the last at ${time(triedAt)}: ${reason ?? ""}`
  if (tries === 0) return `is carried out, or will be at ${time(due)}`
  return `tried ${tries} times, again at ${time(due)}: ${reason ?? ""}`
}
