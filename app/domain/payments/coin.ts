import type { Instant } from "../calendar"
import type { GatewayId } from "./gateway-id"

/** A coin and its network, as the provider names them. */
export type Coin = { readonly currency: string; readonly network: string }

/** Transfer of an on-site payment: address, amount, and what has been seen of it. */
export type Transfer = {
  readonly coin: Coin
  /** Amount due, as a decimal in the coin's units. */
  readonly amount: string
  /** On Lightning an invoice. */
  readonly address: string
  /** Content of the QR code: a payment URI if the coin has one, otherwise the address. */
  readonly uri: string
  /** When the quote expires. */
  readonly expiresAt: Instant
  /** Amount the provider has seen, confirmed or not, as a decimal in the coin's units; "0" for nothing. */
  readonly seen: string
  /** Confirmations of the seen amount; null if the provider does not report them. */
  readonly confirmations: number | null
}

/** Whether a transfer's URI is a link: a bare address in a link would lead to a page of the shop. */
export const opensWallet = ({ uri }: Pick<Transfer, "uri">): boolean => /^[a-z][a-z\d+.-]*:/i.test(uri)

/** Whether a transfer is paid by an invoice, which has its own amount, instead of to an address. */
export const isLightning = ({ network }: Coin): boolean => network === "LN"

/** A coin's name in forms and in the database: "BTC/CHAIN". */
export const coinName = ({ currency, network }: Coin): string => `${currency}/${network}`

/** Parses a coin's name; null if it is invalid. */
export function coinNamed(name: string): Coin | null {
  // Stryker disable next-line ArrayDeclaration: for an invalid name both parts must be missing; other elements are not read.
  const [, currency, network] = /^([\w.]{1,20})\/([\w.-]{1,30})$/.exec(name) ?? []
  // Stryker disable next-line LogicalOperator: the pattern has both parts or neither.
  return currency && network ? { currency, network } : null
}

/** Name of the form field for a gateway's coin. */
export const coinField = (gateway: GatewayId): string => `coin-${gateway}`

/** The coin that a form selects for a gateway; null for the gateway's page. */
export function coinChosen(
  form: { get(name: string): unknown },
  gateway: string | null | undefined,
): string | null {
  const name = form.get(`coin-${gateway}`)
  return typeof name === "string" && coinNamed(name) ? name : null
}
