import type { Day } from "../calendar"
import type { LocaleCode } from "../locales"
import type { GatewayId } from "../payments/gateway-id"

/**
 * Steps of a first purchase, in their order (docs/observability.md). `seen`: the checkout was opened. `chosen`: plan or extras were
 * chosen. `email`: an e-mail was entered. `submitted`: the order form was accepted. `left`: the payment was opened.
 * `returned`: the buyer came back from the gateway. `paid`: the order was paid.
 */
export const purchaseSteps = ["seen", "chosen", "email", "submitted", "left", "returned", "paid"] as const
export type PurchaseStep = (typeof purchaseSteps)[number]

/** The steps before the form is submitted. */
export const draftSteps = ["chosen", "email"] as const satisfies readonly PurchaseStep[]
export type DraftStep = (typeof draftSteps)[number]

/** What is known of a purchase at a step; null: not chosen yet. */
export type StepSubject = {
  readonly plan: string | null
  readonly gateway: GatewayId | null
  readonly locale: LocaleCode
}

/** How often a step was taken on a day of the shop's calendar: sums only, nothing of a visitor. */
export type StepCount = StepSubject & {
  readonly day: Day
  readonly step: PurchaseStep
  readonly count: number
}
