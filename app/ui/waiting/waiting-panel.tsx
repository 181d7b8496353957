import type { Money } from "~/domain/money"
import type { Order } from "~/domain/order"
import type { GatewayOffer } from "../form/gateway-picker"
import { PayCard, type PayLink } from "./hosted-payment"
import { PayHere, QuoteOver } from "./on-site-payment"
import { PayAgain } from "./retry-payment"
import { AbortQuestion, EditQuestion } from "./waiting-confirm"
import { type GatewayProblem, WaitingGateway } from "./waiting-gateway"

/** What the buyer wants to do with his order: pay it, as long as he has asked for nothing else. */
export type AskedFor = "pay" | "gateway" | "edit" | "abort"

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
  state: AskedFor
  gateways: readonly GatewayOffer[]
  problem: GatewayProblem | null
  timeZone: string
}

/** The card beside the story: where to pay, or what stands in its place while the buyer changes his mind. */
export function WaitingSide({ order, left, pay, seen, state, gateways, problem, timeZone }: Side) {
  // Where coins are paid on our own page, another coin is another way too.
  const others = gateways.filter(({ id, coins }) => id !== order.gateway || coins.length > 0)
  const partly = order.received.minor > 0
  switch (possible(problem ? "gateway" : state, { partly, others })) {
    case "gateway":
      return <WaitingGateway {...{ others, problem }} host={pay.host} />
    case "edit":
      return <EditQuestion kind={order.kind} />
    case "abort":
      return <AbortQuestion />
    default:
      return <Payment {...{ left, pay, seen, partly, timeZone }} otherWays={others.length > 0} />
  }
}

type Due = {
  left: Money
  pay: PayLink
  seen: boolean
  partly: boolean
  otherWays: boolean
  timeZone: string
}

/** On the provider's page, or here in the coin the buyer has chosen. */
function Payment({ pay, seen, timeZone, ...due }: Due) {
  if (pay.ended) return <PayAgain {...due} />
  if (!pay.coin) return <PayCard {...due} pay={pay} seen={seen} />
  const { transfer } = pay
  if (!transfer) return <QuoteOver {...due} pay={pay} />
  return <PayHere {...due} pay={{ ...pay, transfer }} timeZone={timeZone} />
}

/** An order that money has come for is not given up by a press of a button, and one gateway is no choice. */
function possible(
  asked: AskedFor,
  { partly, others }: { partly: boolean; others: readonly GatewayOffer[] },
): AskedFor {
  if (asked === "gateway") return others.length > 0 ? asked : "pay"
  return partly ? "pay" : asked
}
