import type { Instant } from "../calendar"
import { includes } from "../includes"
import type { ApprovedAction } from "../operators/approval"
import type { OperatorAction } from "../operators/operator"
import { next, type OrderStatus } from "../orders/order-status"
import { isProvisioned, type ServiceStatus } from "../services/service"
import type { CustomerMessage } from "../shop/mail"

/** Lists of the console whose rows an operator changes at once. */
export const bulkLists = ["orders", "services", "jobs"] as const
export type BulkList = (typeof bulkLists)[number]

/** What is done with all rows of a list. Nothing that moves money: that is decided one by one, and may need a second operator. */
export const bulkActions = {
  orders: ["retry-job", "resend-mail", "cancel-order"],
  services: ["extend-service"],
  jobs: ["retry-job"],
} as const satisfies Record<BulkList, readonly Exclude<OperatorAction, ApprovedAction>[]>
export type BulkAction = (typeof bulkActions)[BulkList][number]

/** A list with one of its actions; null if the list has no such action. */
export function bulkKindIn(list: string, action: string): BulkKind | null {
  const known = bulkLists.find((it) => it === list)
  const offered: readonly BulkAction[] = known ? bulkActions[known] : []
  const wanted = offered.find((it) => it === action)
  return known && wanted ? { list: known, action: wanted } : null
}

export type BulkKind = { readonly list: BulkList; readonly action: BulkAction }

/** More rows are not chosen at once: the filter has to be narrower. */
export const BULK_LIMIT = 10_000

/** `started`: being done by a worker, or by one that has died. */
export const bulkItemStates = ["waiting", "started", "done", "skipped"] as const
export type BulkItemState = (typeof bulkItemStates)[number]

/** Why a chosen row was left as it is. */
export const bulkSkips = [
  /** It is not as it was when it was chosen. */
  "changed",
  "gone",
  "not-allowed",
  "nothing-to-do",
  /** A gateway did not respond. */
  "no-answer",
  /** A payment is in progress. */
  "under-way",
  /** Unexpected: the log has it. */
  "failed",
] as const
export type BulkSkip = (typeof bulkSkips)[number]

type MarkedOrder = { readonly status: OrderStatus; readonly received: number }

/** What an action on an order depends on: an order with another mark has changed since it was chosen. */
export function markOfOrder(action: BulkAction, { status, received }: MarkedOrder): string {
  return action === "cancel-order" ? `${status} ${received}` : status
}

type MarkedService = { readonly status: ServiceStatus; readonly paidUntil: Instant | null }

/** What an action on a service depends on: see `markOfOrder`. */
export function markOfService({ status, paidUntil }: MarkedService): string {
  return `${status} ${paidUntil ?? "endless"}`
}

type MarkedJob = { readonly state: "waiting" | "parked" | "done" | "discarded"; readonly tries: number }

/** A failed job stays the same when it fails once more, or is given up. */
export function jobMark({ state, tries }: MarkedJob): string {
  return state === "parked" || (state === "waiting" && tries > 0) ? "failed" : state
}

/** Whether an order in this status allows an action, as far as its list tells. */
export function mayBeMeant(action: BulkAction, status: OrderStatus): boolean {
  return action !== "cancel-order" || next(status, "aborted") !== undefined
}

/** Whether days can be given to a service, as far as its list tells. */
export function mayBeExtended({ status, paidUntil }: MarkedService): boolean {
  return isProvisioned({ status }) && paidUntil !== null
}

/** Messages about an order, of which one kind can be chosen to be sent again. */
export const resendMessages = [
  "receipt",
  "payment-received",
  "partly-paid",
  "order-expired",
  "order-unpaid",
  "order-released",
  "account-credit",
  "refund",
  "withdrawal",
  "new-reseller",
] as const satisfies readonly CustomerMessage[]
export type ResendMessage = (typeof resendMessages)[number]

/** Whether a text names a message that is sent again. */
export function isResendMessage(text: string): text is ResendMessage {
  return includes(resendMessages, text)
}

/** How far a run is. */
export function runState({
  stoppedAt,
  finishedAt,
}: {
  readonly stoppedAt: Instant | null
  readonly finishedAt: Instant | null
}): "stopped" | "finished" | "running" {
  if (stoppedAt !== null) return "stopped"
  return finishedAt === null ? "running" : "finished"
}
