import type { JobListed, JobPosition, OrderAdmin } from "~/billing/orders/order-admin"
import { type Job, jobQueues } from "~/billing/outbox"
import type { Instant } from "~/domain/calendar"
import { type KeysetList, type KeysetPage, type PageRequest, readAll, readPage } from "./keyset-pages.server"

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
  taxNumbers: jobQueues["tax-numbers"],
  mail: [...jobQueues.mail, ...jobQueues["sign-in-mail"]],
} as const satisfies Record<string, readonly Job["topic"][]>
export type JobSubject = keyof typeof jobSubjects

export type JobPage = KeysetPage<JobListed, JobPosition>

type FindJobsServices = { readonly orders: Pick<OrderAdmin, "failedJobs"> }

/**
 * A page of jobs that have failed, the longest waiting first: so its `older` place leads on to those that failed later. `now`: the
 * machine's clock, which measures how long the search takes.
 */
export function findFailedJobs(
  { orders, now }: FindJobsServices & { readonly now: () => Instant },
  filter: JobFilter,
  request: PageRequest<JobPosition>,
): Promise<JobPage> {
  return readPage(listOf(orders, filter), request, now)
}

/** All jobs of a filter, the longest waiting first, in batches. */
export function allFailedJobs({ orders }: FindJobsServices, filter: JobFilter): AsyncGenerator<JobListed> {
  return readAll(listOf(orders, filter))
}

function listOf(
  orders: FindJobsServices["orders"],
  { state, topics }: JobFilter,
): KeysetList<JobListed & JobPosition, JobPosition> {
  return {
    async read(range) {
      const jobs = await orders.failedJobs({ ...range, state })
      return jobs.map((it) => ({ ...it, at: it.triedAt }))
    },
    matches: topics && (({ topic }) => topics.includes(topic)),
    placeOf: ({ at, id }) => ({ at, id }),
  }
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
