import type { NewRefund, OrderAdmin, OrderDetails, RefundResult } from "~/billing/orders/order-admin"
import type { BegunRefund, GatewayRefundRepository } from "~/billing/payments/gateway-refunds"
import type { Money } from "~/domain/money/money"
import type { Order } from "~/domain/orders/order"
import type { GatewayId } from "~/domain/payments/gateway-id"
import type { Gateway } from "~/gateways/gateway"

export type RefundRequest = NewRefund & {
  /** Ends the service that the order has bought. */
  readonly endsService: boolean
}

export type RefundOutcome =
  | {
      readonly kind: "refunded"
      readonly order: Order
      readonly gateway: Extract<RefundResult, { gateway: unknown }>["gateway"]
      readonly serviceEnded: boolean
      /** The refund with this key was recorded before: no further one was. */
      readonly isRepeated: boolean
    }
  | Exclude<RefundResult, { kind: "recorded" | "repeated" }>
  /** Only the order that has bought a service can end it: a renewal or an extra is of the service of another order. */
  | { readonly kind: "not-its-service" }

/**
 * Records a refund that the operator has made at the provider or by hand, or gives it as account credit (`toCredit`). No money is
 * sent: the reports of gateways whose dashboard made the refund are the same refund, and change nothing further. The service goes on
 * unless `endsService`. The same key is recorded once.
 */
export async function refundOrder(
  admin: Pick<OrderAdmin, "order" | "recordRefund" | "terminateService">,
  orderId: string,
  { endsService, ...refund }: RefundRequest,
): Promise<RefundOutcome> {
  const before = await admin.order(orderId)
  if (!before) return { kind: "no-such-order" }
  if (endsAnothersService(before, { endsService })) return { kind: "not-its-service" }
  const result = await admin.recordRefund(orderId, refund)
  if (!("gateway" in result)) return result
  const { reason, at } = refund
  const serviceEnded =
    endsService && (await admin.terminateService(before.order.serviceId, { owner: "operator", reason, at }))
  const after = await admin.order(orderId)
  return {
    kind: "refunded",
    order: after?.order ?? before.order,
    gateway: result.gateway,
    serviceEnded,
    isRepeated: result.kind === "repeated",
  }
}

/** Whether as much is left to refund in a way; through a gateway or by hand it is of one payment. */
export function isRefundable(
  { attempts, refundable }: Pick<OrderDetails, "attempts" | "refundable">,
  minor: number,
  { toCredit, throughGateway }: { readonly toCredit: boolean; readonly throughGateway: boolean },
): boolean {
  if (toCredit) return refundable.credit.minor >= minor
  const isReceived =
    refundable.received.minor >= minor && attempts.some(({ received }) => received.minor >= minor)
  return isReceived || (!throughGateway && refundable.outside.minor >= minor)
}

function endsAnothersService(
  { order, service }: OrderDetails,
  { endsService }: Pick<RefundRequest, "endsService">,
): boolean {
  return endsService && service?.orderId !== order.id
}

/** How a gateway pays money back. */
export type RefundWay = {
  readonly id: GatewayId
  /** What is left of the payment. */
  readonly received: Money
  readonly needsAddress: boolean
  readonly isWholeOnly: boolean
}

/** The gateways of an order's payments that pay money back, the payment that has received most first. */
export function refundWays(
  gateways: ReadonlyMap<GatewayId, Gateway>,
  { attempts }: Pick<OrderDetails, "attempts">,
): readonly RefundWay[] {
  const paid = attempts
    .filter(({ received }) => received.minor > 0)
    .toSorted((a, b) => b.received.minor - a.received.minor)
  return paid.flatMap(({ gateway: id, received }) => {
    const refunds = gateways.get(id)?.refunds
    return refunds
      ? [{ id, received, needsAddress: refunds.needsAddress, isWholeOnly: refunds.isWholeOnly }]
      : []
  })
}

export type RefundRefusal =
  | Extract<RefundOutcome, { kind: "not-its-service" }>
  /** The gateway sends to an address, and none was given. */
  | { readonly kind: "address-missing" }
  | { readonly kind: "no-gateway-refunds" }
  | Extract<BegunRefund, { kind: "whole-only" }>

type AskedRefund = Pick<GatewayRefundRequest, "amount" | "endsService" | "address"> & {
  readonly throughGateway: boolean
}

/**
 * Why a refund is not done, as far as its order and the gateways say before anything of it is stored: no second operator is asked
 * to confirm such a one. Null: nothing is known against it.
 */
export function refundRefusal(
  gateways: ReadonlyMap<GatewayId, Gateway>,
  details: OrderDetails,
  { amount, endsService, address, throughGateway }: AskedRefund,
): RefundRefusal | null {
  if (endsAnothersService(details, { endsService })) return { kind: "not-its-service" }
  if (!throughGateway) return null
  const [way] = refundWays(gateways, details)
  if (!way) return { kind: "no-gateway-refunds" }
  if (way.needsAddress && address === null) return { kind: "address-missing" }
  const { received, isWholeOnly } = way
  return isWholeOnly && amount.minor < received.minor ? { kind: "whole-only", received } : null
}

export type GatewayRefundRequest = RefundRequest & { readonly address: string | null }

export type GatewayRefundOutcome = BegunRefund | RefundRefusal

type Sending = {
  readonly orders: Pick<OrderAdmin, "order">
  readonly refunds: GatewayRefundRepository
  readonly gateways: ReadonlyMap<GatewayId, Gateway>
}

/**
 * Has the gateway pay money back: a job sends it, and ledger, account credit and service follow once the gateway has accepted
 * it. The same key is sent once.
 */
export async function refundThroughGateway(
  { orders, refunds, gateways }: Sending,
  orderId: string,
  { key, ...refund }: GatewayRefundRequest,
): Promise<GatewayRefundOutcome> {
  const details = await orders.order(orderId)
  if (!details) return { kind: "no-such-order" }
  const refusal = refundRefusal(gateways, details, { ...refund, throughGateway: true })
  if (refusal) return refusal
  return refunds.begin({ ...refund, id: key, orderId, gateways: refundWays(gateways, details) })
}
