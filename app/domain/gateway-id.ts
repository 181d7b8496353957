/** Gateway ids: the payment module names (specification, Constants). */
export const gatewayIds = ["offshore", "coinbase", "cryptomusgateway", "btcpay"] as const
export type GatewayId = (typeof gatewayIds)[number]

export function isGatewayId(text: string | undefined): text is GatewayId {
  return (gatewayIds as readonly (string | undefined)[]).includes(text)
}
