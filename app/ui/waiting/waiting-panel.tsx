import type { Money } from "~/domain/money"
import type { Order } from "~/domain/order"
import type { GatewayOffer } from "../form/gateway-picker"
import { HostedPayment, type PayLink } from "./hosted-payment"
import { OnSitePayment, QuoteExpired } from "./on-site-payment"
import type { PaymentError } from "./payment-problem"
import { RetryPayment } from "./retry-payment"
import { AbortConfirm, EditConfirm } from "./waiting-confirm"
import { WaitingGateway } from "./waiting-gateway"

/** What the buyer wants to do with his order: pay it, as long as he has asked for nothing else. */
export type WaitingView = "pay" | "gateway" | "edit" | "abort"

/** What the waiting pages tell of an order. */
export type WaitingOrder = Pick<
  Order,
  "id" | "kind" | "status" | "gateway" | "total" | "received" | "placedAt" | "deadline"
>

type Side = {
  order: WaitingOrder
  left: Money
  pay: PayLink
  /** A payment is on its way: to pay is no longer what is asked of the buyer. */
  seen: boolean
  state: WaitingView
  gateways: readonly GatewayOffer[]
  error: PaymentError | null
  timeZone: string
}

/** The card beside the story: where to pay, or what stands in its place while the buyer changes his mind. */
export function WaitingPanel({ order, left, pay, seen, state, gateways, error, timeZone }: Side) {
  // Where coins are paid on our own page, another coin is another way too.
  const others = gateways.filter(({ id, coins }) => id !== order.gateway || coins.length > 0)
  const { received } = order
  switch (possible(error?.requestedBy ?? state, { pay, others })) {
    case "gateway":
      return <WaitingGateway {...{ others, error, pay }} />
    case "edit":
      return <EditConfirm kind={order.kind} received={received} />
    case "abort":
      return <AbortConfirm received={received} />
    default:
      return <Payment {...{ left, received, pay, seen, error, timeZone }} otherWays={others.length > 0} />
  }
}

type Due = {
  left: Money
  received: Money
  pay: PayLink
  seen: boolean
  otherWays: boolean
  error: PaymentError | null
  timeZone: string
}

/** On the provider's page, or here in the coin the buyer has chosen. */
function Payment({ pay, seen, timeZone, received, error, ...due }: Due) {
  const partly = received.minor > 0
  if (pay.ended) return <RetryPayment {...due} {...{ pay, received, error }} />
  if (!pay.coin) return <HostedPayment {...due} {...{ pay, seen, partly }} />
  const { transfer } = pay
  if (!transfer) return <QuoteExpired {...due} {...{ pay, partly, error }} />
  return <OnSitePayment {...due} pay={{ ...pay, transfer }} timeZone={timeZone} />
}

/** An order that money is on its way for is not given up by a press of a button, and one gateway is no choice. */
function possible(
  asked: WaitingView,
  { pay, others }: { pay: PayLink; others: readonly GatewayOffer[] },
): WaitingView {
  if (asked === "gateway") return others.length > 0 ? asked : "pay"
  return pay.underWay ? "pay" : asked
}
