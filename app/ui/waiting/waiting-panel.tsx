import type { Money } from "~/domain/money"
import type { Order } from "~/domain/order"
import type { GatewayOffer } from "../form/gateway-picker"
import { HostedPayment, type PayLink } from "./hosted-payment"
import { OnSitePayment, QuoteExpired } from "./on-site-payment"
import type { PaymentError } from "./payment-error"
import { RetryPayment } from "./retry-payment"
import { AbortConfirm, AnotherSelection, EditConfirm } from "./waiting-confirm"
import { WaitingGateway } from "./waiting-gateway"

/** State of the panel; "pay" by default. */
export type WaitingView = "pay" | "gateway" | "edit" | "abort" | "another"

/** The order's fields on waiting pages. */
export type WaitingOrder = Pick<
  Order,
  "id" | "kind" | "status" | "gateway" | "lines" | "total" | "received" | "placedAt" | "deadline"
>

type Side = {
  order: WaitingOrder
  left: Money
  pay: PayLink
  /** An unconfirmed payment has been seen: the buyer need not pay. */
  seen: boolean
  state: WaitingView
  gateways: readonly GatewayOffer[]
  error: PaymentError | null
  timeZone: string
}

/** The panel next to the timeline: the payment, or the gateway change and confirmations. */
export function WaitingPanel({ order, left, pay, seen, state, gateways, error, timeZone }: Side) {
  // With on-site payment another coin of the same gateway is an alternative too.
  const others = gateways.filter(({ id, coins }) => id !== order.gateway || coins.length > 0)
  const { received } = order
  switch (possible(error?.requestedBy ?? state, { pay, others })) {
    case "gateway":
      return <WaitingGateway others={others} error={error} pay={pay} />
    case "edit":
      return <EditConfirm kind={order.kind} received={received} />
    case "another":
      return <AnotherSelection order={order} isLocked={pay.isProcessing} />
    case "abort":
      return <AbortConfirm received={received} />
    default:
      return (
        <Payment
          left={left}
          received={received}
          pay={pay}
          seen={seen}
          error={error}
          timeZone={timeZone}
          hasOtherMethods={others.length > 0}
        />
      )
  }
}

type Due = {
  left: Money
  received: Money
  pay: PayLink
  seen: boolean
  hasOtherMethods: boolean
  error: PaymentError | null
  timeZone: string
}

/** Payment on the provider's page, or on-site in the selected coin. */
function Payment({ pay, seen, timeZone, received, error, ...due }: Due) {
  const partly = received.minor > 0
  if (pay.ended) return <RetryPayment {...due} pay={pay} received={received} error={error} />
  if (!pay.coin) return <HostedPayment {...due} pay={pay} seen={seen} partly={partly} />
  const { transfer } = pay
  if (!transfer) return <QuoteExpired {...due} pay={pay} partly={partly} error={error} />
  return <OnSitePayment {...due} pay={{ ...pay, transfer }} timeZone={timeZone} />
}

/**
 * The state that is possible: no cancelling while a payment is unconfirmed, no gateway change without another one. That a
 * new selection was not ordered is always said.
 */
function possible(
  requestedView: WaitingView,
  { pay, others }: { pay: PayLink; others: readonly GatewayOffer[] },
): WaitingView {
  if (requestedView === "gateway") return others.length > 0 ? requestedView : "pay"
  return pay.isProcessing && requestedView !== "another" ? "pay" : requestedView
}
