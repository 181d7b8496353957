import type { Instant } from "~/domain/calendar"
import type { BulkList } from "~/domain/console/bulk"
import { jobFilterFields, jobQueryIn } from "../find-jobs.server"
import { orderFilterFields, orderQueryIn } from "../orders/order-query.server"
import { serviceFilterFields, serviceQueryIn } from "../services/find-services.server"
import type { BulkFilter } from "./choose-bulk.server"

/** The fields of each list's filter, which a bulk action carries on. */
export const bulkFields: Readonly<Record<BulkList, readonly string[]>> = {
  orders: orderFilterFields,
  services: serviceFilterFields,
  jobs: jobFilterFields,
}

export type BulkQuery = {
  readonly chosen: BulkFilter
  /** What was typed, without empty fields. */
  readonly typed: Readonly<Record<string, string>>
  /** Fields whose text is not valid. The list leaves them out; a bulk action would mean more rows than was asked for. */
  readonly invalid: readonly string[]
}

/** The filter of a list in an address or a form, exactly as the list reads it. */
export function bulkQueryIn(
  list: BulkList,
  textOf: (field: string) => string,
  calendar: { readonly timeZone: string; readonly now: Instant },
): BulkQuery {
  const { chosen, invalid } = parsers[list](textOf, calendar)
  const typed = bulkFields[list].map((field) => [field, textOf(field)] as const)
  return { chosen, invalid, typed: Object.fromEntries(typed.filter(([, text]) => text.trim() !== "")) }
}

type Calendar = Parameters<typeof bulkQueryIn>[2]
type Parser = (textOf: (field: string) => string, calendar: Calendar) => Pick<BulkQuery, "chosen" | "invalid">

const parsers: Readonly<Record<BulkList, Parser>> = {
  orders(textOf, { timeZone }) {
    const { filter, invalid } = orderQueryIn(textOf, timeZone)
    return { chosen: { list: "orders", filter }, invalid }
  },
  services(textOf, calendar) {
    const { filter, invalid } = serviceQueryIn(textOf, calendar)
    return { chosen: { list: "services", filter }, invalid }
  },
  jobs(textOf) {
    const { filter, invalid } = jobQueryIn(textOf)
    return { chosen: { list: "jobs", filter }, invalid }
  },
}
