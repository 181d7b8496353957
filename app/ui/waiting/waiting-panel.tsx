import type { Money } from "~/domain/money/money"
import type { Order } from "~/domain/orders/order"
import type { TimelineEvent } from "~/domain/orders/timeline"
import type { GatewayOffer } from "../form/gateway-picker"
import { HostedPayment, type PayLink, type PayTexts } from "./hosted-payment"
import { OnSitePayment, QuoteExpired, SeenPayment } from "./on-site-payment"
import type { PaymentError } from "./payment-error"
import { RetryPayment } from "./retry-payment"
import { AbortConfirm, AnotherSelection, EditConfirm, type QuestionTexts } from "./waiting-confirm"
import { type ChosenMethod, WaitingGateway } from "./waiting-gateway"

/** State of the page; "pay" by default. "paid": nothing has arrived, and the buyer says it is paid. */
export type WaitingView = "pay" | "paid" | "gateway" | "edit" | "abort" | "another"

/** The order's fields on waiting pages. */
export type WaitingOrder = Pick<
  Order,
  "id" | "kind" | "status" | "gateway" | "lines" | "total" | "received" | "placedAt" | "deadline"
>

type Side = {
  order: WaitingOrder
  pay: PayLink
  state: WaitingView
  others: readonly GatewayOffer[]
  method: ChosenMethod | undefined
  error: PaymentError | null
  /** See `ConfirmCard`. */
  isPage: boolean
  texts: QuestionTexts
}

/** A question about the order, in place of the payment; null without one. */
export function OrderQuestion({ order, pay, state, others, method, error, isPage, texts }: Side) {
  switch (state) {
    case "gateway":
      return <WaitingGateway others={others} method={method} error={error} pay={pay} isPage={isPage} />
    case "edit":
      return <EditConfirm isPage={isPage} texts={texts} />
    case "another":
      return <AnotherSelection order={order} isLocked={pay.isProcessing} isPage={isPage} texts={texts} />
    case "abort":
      return <AbortConfirm isPage={isPage} texts={texts} />
    default:
      return null
  }
}

/** Other gateways for an order. With on-site payment another coin of the same gateway is an alternative too. */
export function othersOf(order: WaitingOrder, gateways: readonly GatewayOffer[]): readonly GatewayOffer[] {
  return gateways.filter(({ id, coins }) => id !== order.gateway || coins.length > 0)
}

type Due = {
  received: Money
  pay: PayLink
  /** An unconfirmed payment has been seen: the buyer need not pay. */
  seen: boolean
  error: PaymentError | null
  texts: PayTexts
}

/** Payment on the provider's page, or on-site in the selected coin. */
export function Payment({ pay, seen, received, error, texts }: Due) {
  if (pay.ended) return <RetryPayment received={received} pay={pay} texts={texts} error={error} />
  if (seen) return <SeenPayment transfer={pay.transfer} check={texts.check} />
  if (!pay.coin) return <HostedPayment pay={pay} texts={texts} />
  const { transfer } = pay
  if (!transfer) return <QuoteExpired pay={pay} texts={texts} error={error} />
  return <OnSitePayment pay={{ ...pay, transfer }} texts={texts} />
}

/**
 * The state that is possible: no cancelling while a payment is unconfirmed, no gateway change without another one. That a
 * new selection was not ordered is always said.
 */
export function possible(
  requestedView: WaitingView,
  { pay, others }: { pay: PayLink; others: readonly GatewayOffer[] },
): WaitingView {
  if (requestedView === "gateway") return others.length > 0 ? requestedView : "pay"
  return pay.isProcessing && requestedView !== "another" ? "pay" : requestedView
}

/**
 * Whether a payment is seen that is not confirmed. One that is processing may not be the last event: another one of the order may have
 * ended since.
 */
export function isSeen({
  pay,
  timeline,
}: {
  pay: Pick<PayLink, "isProcessing"> | null
  timeline: readonly Pick<TimelineEvent, "kind">[]
}): boolean {
  return pay?.isProcessing || timeline.at(-1)?.kind === "seen"
}
