import type { Instant } from "./calendar"
import type { GatewayId } from "./gateway-id"

/** A coin and the network it travels on, as the provider names them. */
export type Coin = { readonly currency: string; readonly network: string }

/** How a payment is made on our own page: what goes where, and what has been seen of it. */
export type Transfer = {
  readonly coin: Coin
  /** The exact amount still to be sent, a decimal in the coin's own units. */
  readonly amount: string
  readonly address: string
  /** What a wallet reads from a QR code: a payment URI where the coin has one, else the address. */
  readonly uri: string
  /** Until when the quote holds. */
  readonly expiresAt: Instant
  /** What the provider has seen so far, confirmed or not; a decimal in the coin's own units, "0" for nothing. */
  readonly seen: string
  /** How often what has been seen is confirmed; null where the provider does not say. */
  readonly confirmations: number | null
}

/** A coin as forms and books name it: "BTC/CHAIN". */
export const coinName = ({ currency, network }: Coin): string => `${currency}/${network}`

/** The coin a name means; null for what cannot be one. */
export function coinNamed(name: string): Coin | null {
  // Stryker disable next-line ArrayDeclaration: a name that is no coin has neither part, whatever else is in the list.
  const [, currency, network] = /^([\w.]{1,20})\/([\w.-]{1,30})$/.exec(name) ?? []
  // Stryker disable next-line LogicalOperator: the pattern has both parts or neither.
  return currency && network ? { currency, network } : null
}

/** The field in which a form says what is to be paid in at a gateway. */
export const coinField = (gateway: GatewayId): string => `coin-${gateway}`

/** What a form wants to pay in at a gateway; null leaves that to the gateway's own page. */
export function coinChosen(
  form: { get(name: string): unknown },
  gateway: string | null | undefined,
): string | null {
  const name = form.get(`coin-${gateway}`)
  return typeof name === "string" && coinNamed(name) ? name : null
}
