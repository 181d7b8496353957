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

/** Unpaid orders that one address may place before it looks like a machine at work, and in which time. */
export const ORDER_VELOCITY = { most: 10, within: HOUR } as const

/** `blocks`: those that fit the visitor. `unpaid`: orders of his address lately that have not been paid. */
export function judgeVisitor(seen: { blocks: readonly Block[]; unpaid: number }): FraudVerdict {
  const [block] = seen.blocks
  if (block) return { valid: false, reason: `blocked ${block.kind} ${block.value}` }
  if (seen.unpaid < ORDER_VELOCITY.most) return { valid: true }
  return { valid: false, reason: `${seen.unpaid} unpaid orders within an hour` }
}
