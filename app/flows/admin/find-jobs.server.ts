import type { JobListed, OrderAdmin } from "~/billing/order-admin"
import { type Job, jobQueues } from "~/billing/outbox"

/** All conditions apply. */
export type JobFilter = {
  readonly state?: FailedState | undefined
  readonly topics?: readonly Job["topic"][] | undefined
}

/** `parked`: given up. `waiting`: retried automatically. */
export const failedStates = ["parked", "waiting"] as const
export type FailedState = (typeof failedStates)[number]

/** What the jobs are about; mail has two queues. */
export const jobSubjects = {
  panel: [...jobQueues.services, ...jobQueues.terms],
  refunds: jobQueues.refunds,
  mail: [...jobQueues.mail, ...jobQueues["sign-in-mail"]],
} as const satisfies Record<string, readonly Job["topic"][]>
export type JobSubject = keyof typeof jobSubjects

/** Jobs that have failed, the longest waiting first. */
export async function findFailedJobs(
  { orders }: { readonly orders: Pick<OrderAdmin, "jobs"> },
  { state, topics }: JobFilter,
): Promise<readonly JobListed[]> {
  const jobs = await orders.jobs()
  return jobs.filter(
    (it) =>
      (state === undefined || it.state === state) && (topics === undefined || topics.includes(it.topic)),
  )
}

export const jobFilterFields = ["state", "about"] as const
export type JobFilterField = (typeof jobFilterFields)[number]

/** The filter of an address or a form. A text that is none filters nothing. */
export function jobQueryIn(textOf: (field: JobFilterField) => string) {
  const state = failedStates.find((it) => it === textOf("state"))
  const about = (Object.keys(jobSubjects) as JobSubject[]).find((it) => it === textOf("about"))
  const parsed = { state, about }
  return {
    ...parsed,
    filter: { state, topics: about && jobSubjects[about] },
    invalid: jobFilterFields.filter((it) => textOf(it).trim() !== "" && parsed[it] === undefined),
  }
}
