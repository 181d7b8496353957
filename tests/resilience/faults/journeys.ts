import { type GatewayId, gatewayIds } from "~/domain/payments/gateway-id"
import { type Journey, type JourneyContext, type Step, serviceOf } from "./journey"
import * as does from "./order-steps"
import { change, comeBack, decide, open, retryPaymentStep } from "./payment-steps"

const { order, work } = does
/** Gateways that accept partial payments (one accepts the exact amount only). */
const takesLess: readonly GatewayId[] = gatewayIds.filter((id) => id !== "coinbase")
/** Gateways that report the surplus in the shop's currency. */
const hasMoreEvents: readonly GatewayId[] = takesLess.filter((id) => id !== "cryptomusgateway")

/** Steps to the gateway and back, with the payment made. */
const pays: readonly Step[] = [open, decide("paid"), comeBack, work]

async function served(traveller: JourneyContext): Promise<boolean> {
  const { billing } = traveller.shop.services
  const now = traveller.order && (await billing.order(traveller.order.id))
  return now?.status === "active" && (await serviceOf(traveller))?.status === "Active"
}

/** Any outcome is allowed after a cancellation: only the invariants count. */
const anything = async () => true

/** Journeys of buyers, resellers and customers that involve upstreams. */
export const journeys: readonly Journey[] = [
  {
    name: "a buyer",
    gateways: gatewayIds,
    purchases: 1,
    arrived: served,
    steps: [order, ...pays, does.tieDevice, does.recreate, work],
  },
  {
    name: "a buyer who is not reported",
    gateways: gatewayIds,
    purchases: 1,
    arrived: served,
    steps: [order, open, decide("paid-unreported"), comeBack, work],
  },
  {
    name: "a buyer who is reported twice",
    gateways: gatewayIds,
    purchases: 1,
    arrived: served,
    steps: [order, open, decide("paid-twice"), work, comeBack],
  },
  {
    name: "a buyer who pays less, and the rest elsewhere",
    gateways: takesLess,
    purchases: 1,
    arrived: served,
    steps: [order, open, decide("less"), comeBack, change("coinbase"), decide("paid"), comeBack, work],
  },
  {
    name: "a buyer who pays too much",
    gateways: hasMoreEvents,
    purchases: 1,
    arrived: served,
    steps: [order, open, decide("more"), comeBack, work],
  },
  {
    name: "a buyer who changes and pays at both",
    gateways: gatewayIds,
    purchases: 1,
    arrived: served,
    steps: [order, open, change("cryptomusgateway"), decide("paid", 0), decide("paid"), comeBack, work],
  },
  {
    name: "a buyer whose payment fails first",
    gateways: gatewayIds,
    purchases: 1,
    arrived: served,
    steps: [order, open, decide("failed"), comeBack, retryPaymentStep, decide("paid"), comeBack, work],
  },
  {
    name: "a buyer who gives up and pays after all",
    gateways: gatewayIds,
    purchases: 1,
    arrived: anything,
    steps: [order, open, does.cancelOrderStep, decide("paid"), work],
  },
  {
    name: "a buyer who pays and is away",
    gateways: gatewayIds,
    purchases: 1,
    arrived: served,
    steps: [order, open, decide("paid-unreported"), does.aDayLater, work],
  },
  {
    name: "a customer who buys more",
    gateways: gatewayIds,
    purchases: 2,
    arrived: served,
    steps: [order, ...pays, does.orderMore, ...pays],
  },
  {
    name: "a reseller",
    gateways: gatewayIds,
    purchases: 2,
    arrived: served,
    steps: [does.orderAsReseller, ...pays, does.makeLine, work],
  },
]
