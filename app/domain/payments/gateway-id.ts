import { includes } from "../includes"

/** Gateway ids: the payment module names (specification, Constants). */
export const gatewayIds = ["offshore", "coinbase", "cryptomusgateway", "btcpay"] as const
export type GatewayId = (typeof gatewayIds)[number]

/** Whether a text is the id of a gateway. */
export function isGatewayId(text: string | undefined): text is GatewayId {
  return includes(gatewayIds, text)
}
