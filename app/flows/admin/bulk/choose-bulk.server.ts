import type { ChosenItem } from "~/billing/operators/bulk-runs"
import type { JobListed, OrderAdmin } from "~/billing/orders/order-admin"
import type { OrderListItem } from "~/billing/orders/order-search"
import type { ServiceAdmin, ServiceListItem } from "~/billing/services/service-admin"
import type { Instant } from "~/domain/calendar"
import {
  BULK_LIMIT,
  type BulkAction,
  jobMark,
  markOfOrder,
  markOfService,
  mayBeExtended,
  mayBeMeant,
} from "~/domain/console/bulk"
import { allFailedJobs, type JobFilter } from "../find-jobs.server"
import { SEARCH_LIMIT } from "../keyset-pages.server"
import { allOrders, type OrderFilter } from "../orders/find-orders.server"
import { allServices, type ServiceFilter } from "../services/find-services.server"

/** Rows of a list by the list's own conditions: a condition that a list learns chooses here too. */
export type BulkFilter =
  | { readonly list: "orders"; readonly filter: OrderFilter }
  | { readonly list: "services"; readonly filter: ServiceFilter }
  | { readonly list: "jobs"; readonly filter: JobFilter }

/** Which rows are meant. `until`: orders that are placed at this time or later are not. */
export type BulkChoice = BulkFilter & { readonly action: BulkAction; readonly until: Instant }

/** One of the rows that are meant: what an operator recognizes it by. */
export type BulkExample = { readonly item: string } & (
  | ({ readonly list: "orders" } & Pick<OrderListItem, "status" | "total">)
  | ({ readonly list: "services" } & Pick<ServiceListItem, "username" | "name" | "status">)
  | ({ readonly list: "jobs" } & Pick<JobListed, "topic" | "orderId">)
)

export type Chosen = {
  readonly items: readonly ChosenItem[]
  /** The first ten. */
  readonly examples: readonly BulkExample[]
  /** There are more than may be done at once, or it took too long to find them. */
  readonly isCut: boolean
}

const EXAMPLES = 10

/** `clock`: the machine's, which measures how long the search takes. */
export type ChoosingServices = {
  readonly orders: Pick<OrderAdmin, "orders" | "ordersNamed" | "failedJobs">
  readonly services: Pick<ServiceAdmin, "services">
  readonly clock: () => Instant
}

/** The rows of a filter whose state allows the action, as far as the list tells. */
export async function chooseRows(services: ChoosingServices, choice: BulkChoice): Promise<Chosen> {
  const items: ChosenItem[] = []
  const examples: BulkExample[] = []
  const until = services.clock() + SEARCH_LIMIT
  for await (const { mark, ...example } of rowsOf(services, choice)) {
    if (items.length === BULK_LIMIT || services.clock() >= until) return { items, examples, isCut: true }
    if (examples.length < EXAMPLES) examples.push(example)
    items.push({ item: example.item, mark })
  }
  return { items, examples, isCut: false }
}

type Row = Pick<ChosenItem, "mark"> & BulkExample

function rowsOf(services: ChoosingServices, choice: BulkChoice): AsyncGenerator<Row> {
  if (choice.list === "orders") return orderRows(services, choice)
  return choice.list === "services" ? serviceRows(services, choice) : jobRows(services, choice)
}

async function* orderRows(
  { orders, clock }: ChoosingServices,
  { filter, action, until }: BulkChoice & { readonly list: "orders" },
): AsyncGenerator<Row> {
  const known = { ...filter, until: Math.min(filter.until ?? until, until) }
  for await (const { id, status, received, total } of allOrders({ orders, now: clock }, known))
    if (mayBeMeant(action, status))
      yield {
        item: id,
        mark: markOfOrder(action, { status, received: received.minor }),
        list: "orders",
        status,
        total,
      }
}

async function* serviceRows(
  services: ChoosingServices,
  { filter }: BulkChoice & { readonly list: "services" },
): AsyncGenerator<Row> {
  for await (const service of allServices(services, filter))
    if (mayBeExtended(service)) {
      const { id, username, name, status } = service
      yield { item: id, mark: markOfService(service), list: "services", username, name, status }
    }
}

async function* jobRows(
  { orders }: ChoosingServices,
  { filter }: BulkChoice & { readonly list: "jobs" },
): AsyncGenerator<Row> {
  // The job of a run of this kind is not a row of one.
  for await (const job of allFailedJobs({ orders }, filter))
    if (job.topic !== "bulk" && job.topic !== "price-move")
      yield {
        item: job.id,
        mark: jobMark(job),
        list: "jobs",
        topic: job.topic,
        orderId: job.orderId,
      }
}
