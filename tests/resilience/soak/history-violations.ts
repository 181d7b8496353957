import type { Access } from "../../fixtures/no-script-purchase"
import type { StoredRows } from "../invariants/stored-rows"
import { byName, unpaidFinalStatuses } from "../invariants/system-state"
import type { BuyerHistory, NewConnection, Period, SoakHistory } from "./history"

/** Milliseconds from opening a connection to the first byte of the answer, above those of a bare server. */
export const LONGEST_WAIT = 5_000
export const USUAL_WAIT = 1_000
/** The share of connections that must be answered within the usual wait. */
const USUAL_SHARE = 0.95

/**
 * Checks what was seen while a shop crashed against what it has stored afterwards; returns one sentence per violation.
 * The stored rows alone cannot show these: they are valid again after an order was lost and made a second time.
 */
export function historyViolations(history: SoakHistory, database: StoredRows): string[] {
  return [
    ...history.buyers.flatMap((buyer) => [
      ...withoutAccess(buyer),
      ...lostOrders(buyer, database),
      ...changedCredentials(buyer, database),
    ]),
    ...unanswered(history),
    ...idleInstances(history),
  ]
}

function withoutAccess({ email, failure }: BuyerHistory): string[] {
  return failure === null ? [] : [`${email} had to get access and did not: ${failure}`]
}

/** An order whose number a buyer has seen stays stored, and only the buyer may give it up. */
function lostOrders({ email, orders }: BuyerHistory, database: StoredRows): string[] {
  const stored = byName(database.orders, ({ id }) => id)
  const client = database.clients.find((it) => it.email === email)
  const existing = database.orders.filter((it) => it.client_id === client?.id).map(({ id }) => id)
  const replacement = existing.length > 0 ? ` and made again as ${existing.join(", ")}` : ""
  return orders.flatMap((id) => {
    const status = stored.get(id)?.status
    if (status === undefined) return [`order ${id} of ${email} was acknowledged, then lost${replacement}`]
    return unpaidFinalStatuses.includes(status)
      ? [`order ${id} of ${email} was acknowledged, then ${status}`]
      : []
  })
}

/** Credentials stay as they were first shown, on every later page and in the database. */
function changedCredentials({ email, orders, access }: BuyerHistory, database: StoredRows): string[] {
  const [first, ...later] = access
  if (!first) return []
  const changes = [...new Set(later.flatMap((it) => changed(first, it)))]
  const service = database.services.find(({ order_id }) => orders.includes(order_id))
  const isStored = service?.username === first.username && service.password === first.password
  return [
    ...(changes.length > 0 ? [`${email} was shown another ${changes.join(", ")} for the same service`] : []),
    ...(service && !isStored ? [`service ${service.id} has other credentials than ${email} was shown`] : []),
  ]
}

function changed(before: Access, after: Access): string[] {
  return (["username", "password", "host"] as const).filter((field) => before[field] !== after[field])
}

function unanswered(history: SoakHistory): string[] {
  const counted = whileUp(history)
  const count = counted.filter(({ isAnswered }) => !isAnswered).length
  return count > 0
    ? [`${count} of ${counted.length} new connections got no answer from a shop that was up`]
    : []
}

/**
 * Names waits that are too long, one sentence each. They depend on what else the machine does, so a soak that has it alone judges
 * them, and no test does.
 */
export function longWaits(history: Pick<SoakHistory, "connections" | "outages">): string[] {
  const times = whileUp(history)
    .map(milliseconds)
    .toSorted((a, b) => a - b)
  const longest = times.at(-1) ?? 0
  const usual = times[Math.ceil(times.length * USUAL_SHARE) - 1] ?? 0
  return [
    ...(longest > LONGEST_WAIT ? [`a new connection waited ${longest} ms for its answer`] : []),
    ...(usual > USUAL_WAIT
      ? [`a new connection in ${Math.round(1 / (1 - USUAL_SHARE))} waited ${usual} ms or more for its answer`]
      : []),
  ]
}

function whileUp({ connections, outages }: Pick<SoakHistory, "connections" | "outages">) {
  return connections.filter((connection) => !outages.some((outage) => overlap(connection, outage)))
}

function idleInstances({ answeredBy }: SoakHistory): string[] {
  return answeredBy.flatMap((answered, at) =>
    answered > 0 ? [] : [`instance ${at + 1} answered no request`],
  )
}

function overlap(one: Period, other: Period): boolean {
  return one.from <= other.until && other.from <= one.until
}

/** The part of a wait that is the shop's: on a busy machine, a bare server answers late too. */
function milliseconds({ from, until, bareWait }: NewConnection): number {
  return Math.max(0, Math.round(until - from - bareWait))
}
