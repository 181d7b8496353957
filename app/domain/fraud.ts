import type { Instant } from "./calendar"
import { HOUR } from "./calendar"

/** What the operator can shut out: one address, a network in CIDR form, or a country by its code. */
export const blockKinds = ["address", "network", "country"] as const
export type BlockKind = (typeof blockKinds)[number]
export type Block = {
  readonly kind: BlockKind
  readonly value: string
  readonly reason: string | null
  readonly at: Instant
}

/** Whether an order may be taken from where the visitor is; `reason` is for the operator alone. */
export type FraudVerdict = { readonly valid: true } | { readonly valid: false; readonly reason: string }

/** Orders that have not been paid lately, by what they have in common with a new one. */
export type Unpaid = {
  /** Of the same browser. */
  readonly browser: number
  /** Under the same e-mail, from the same network. */
  readonly email: number
  /** From the same IPv6 network (/64), which one customer of a provider has. */
  readonly network: number
  /** From the same IPv4 address, which many may share. */
  readonly sharedAddress: number
}

/**
 * How many of them look like a machine at work, within an hour. What has one owner is held tightly; an address that
 * many share generously, because one stranger behind it must not hold everybody.
 */
export const ORDER_VELOCITY = {
  within: HOUR,
  most: { browser: 10, email: 10, network: 10, sharedAddress: 60 } satisfies Unpaid,
} as const

const words: Readonly<Record<keyof Unpaid, string>> = {
  browser: "from one browser",
  email: "under one e-mail",
  network: "from one network",
  sharedAddress: "from one address",
}

/** `blocks`: those that fit the visitor. `unpaid`: null where it does not matter, because the customer has paid before. */
export function assessFraud(seen: { blocks: readonly Block[]; unpaid: Unpaid | null }): FraudVerdict {
  const [block] = seen.blocks
  if (block) return { valid: false, reason: `blocked ${block.kind} ${block.value}` }
  const { unpaid } = seen
  const tooManyRequests = unpaid && kinds.find((kind) => unpaid[kind] >= ORDER_VELOCITY.most[kind])
  if (!tooManyRequests) return { valid: true }
  return {
    valid: false,
    reason: `${unpaid[tooManyRequests]} unpaid orders within an hour ${words[tooManyRequests]}`,
  }
}

const kinds = Object.keys(words) as (keyof Unpaid)[]
