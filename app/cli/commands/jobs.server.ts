import type { Command } from "../command"

export const jobs: Command = {
  takes: [],
  async run({ books }) {
    const parked = await books.operator.parkedJobs()
    if (parked.length === 0) return "Nothing waits for you."
    return parked
      .map((job) => `${job.topic}  ${job.subject}  after ${job.tries} tries: ${job.reason ?? ""}`)
      .join("\n")
  },
}
