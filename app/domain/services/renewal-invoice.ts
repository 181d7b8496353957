import type { Instant } from "../calendar"
import { type Cycle, monthsOf } from "../catalogue/billing-cycle"
import type { Quote, QuoteLine } from "../catalogue/pricing"
import { type Money, minus, money, plus } from "../money/money"
import type { TaxAtRate } from "../orders/order-tax"
import type { RenewalItem } from "./renewal"
import type { Service } from "./service"

/** An unpaid invoice of an external billing system that renews services. Its due date and amounts are that system's. */
export type RenewalInvoice = {
  readonly invoiceId: string
  /** Midnight of the due date in the shop's time zone; null: the invoice has none. */
  readonly due: Instant | null
  /** What is left to pay, with tax and other items. */
  readonly balance: Money
  /** The tax in it; missing if the invoice states none, or part of it is paid already. */
  readonly taxes?: readonly TaxAtRate[] | undefined
  /** The services that it renews, each once. `cycles`: how often it renews them; `amount`: with their discounts. */
  readonly items: readonly RenewalItem[]
}

type Renewed = Pick<Service, "id" | "productId" | "name"> & { readonly cycle: Cycle | null }

/**
 * The lines of an invoice for its buyer: a line for each renewed service, in the order of the items, and one for what is on
 * the invoice besides: tax, other items, payments and credit. `services`: those of the items.
 */
export function invoiceQuote({ balance, items }: RenewalInvoice, services: readonly Renewed[]): Quote {
  const lines = items.flatMap((item) => lineOf(item, services))
  const sum = lines.map(({ amount }) => amount).reduce(plus, money(0, balance.currency))
  const rest = minus(balance, sum)
  return rest.minor === 0
    ? { lines, total: balance }
    : { lines: [...lines, { kind: "invoiceRest", amount: rest }], total: balance }
}

function lineOf({ serviceId, cycles, amount }: RenewalItem, services: readonly Renewed[]): QuoteLine[] {
  const service = services.find(({ id }) => id === serviceId)
  if (!service) return []
  const { productId, name, cycle } = service
  return [{ kind: "renewal", productId, name, months: cycles * monthsOf(cycle ?? "monthly"), amount }]
}
