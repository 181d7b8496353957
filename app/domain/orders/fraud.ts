import type { Instant } from "../calendar"
import { HOUR } from "../calendar"

/**
 * What the operator can block: an address, a network in CIDR notation, a country code, a customer by its id, or a device by its MAC
 * address. A device is known by the services that it is registered for.
 */
export const blockKinds = ["address", "network", "country", "customer", "device"] as const
export type BlockKind = (typeof blockKinds)[number]
export type Block = {
  readonly kind: BlockKind
  readonly value: string
  readonly reason: string | null
  readonly at: Instant
}

export type Blocked = Pick<Block, "kind" | "value">

/** A block as a form to remove it names it. */
export function blockKey({ kind, value }: Blocked): string {
  return `${kind} ${value}`
}

/** Result of the fraud check. `reason` is shown to the operator only. */
export type FraudVerdict = { readonly valid: true } | { readonly valid: false; readonly reason: string }

/** Numbers of recent unpaid orders that have something in common with a new one. */
export type Unpaid = {
  /** With the same browser id. */
  readonly browser: number
  /** With the same e-mail, from the same network. */
  readonly email: number
  /** From the same IPv6 /64 network, which usually has one owner. */
  readonly network: number
  /** From the same IPv4 address, which many clients may share. */
  readonly sharedAddress: number
}

/**
 * Limits of unpaid orders within an hour, above which an order is flagged. Low for what has one owner; high for an IPv4
 * address, since one client behind it must not block the others.
 */
export const ORDER_VELOCITY = {
  within: HOUR,
  max: { browser: 10, email: 10, network: 10, sharedAddress: 60 } satisfies Unpaid,
} as const

const messages: Readonly<Record<keyof Unpaid, string>> = {
  browser: "from one browser",
  email: "under one e-mail",
  network: "from one network",
  sharedAddress: "from one address",
}

/** Assesses an order. `blocks`: matching blocks. `unpaid`: null if the customer has paid before, which lifts the limits. */
export function assessFraud(seen: { blocks: readonly Block[]; unpaid: Unpaid | null }): FraudVerdict {
  const [block] = seen.blocks
  if (block) return { valid: false, reason: `blocked ${block.kind} ${block.value}` }
  const { unpaid } = seen
  const exceeded = unpaid && kinds.find((kind) => unpaid[kind] >= ORDER_VELOCITY.max[kind])
  if (!exceeded) return { valid: true }
  return {
    valid: false,
    reason: `${unpaid[exceeded]} unpaid orders within an hour ${messages[exceeded]}`,
  }
}

const kinds = Object.keys(messages) as (keyof Unpaid)[]
