import type { ProductKind } from "../catalogue/catalogue"
import { type Extras, planIdIn, promoCodeIn, type QuoteLine } from "../catalogue/pricing"
import type { GatewayId } from "../payments/gateway-id"
import { isResellerPlan, type Order } from "./order"

/** The visitor's selection, stored in the session and restored after a cancelled order. */
export type Choices = Extras & {
  /** Whether the plan is a viewer's or a reseller's. */
  readonly kind: ProductKind
  readonly plan: string | null
  readonly promoCode: string | null
  readonly email: string | null
  readonly gateway: GatewayId | null
  /** Coin of an on-site payment; null for the gateway's page. */
  readonly coin: string | null
}

/** A selection with everything an order needs. */
export type CompleteChoices = Choices & {
  readonly plan: string
  readonly email: string
  readonly gateway: GatewayId
}

export const emptyChoices: Choices = {
  kind: "plan",
  plan: null,
  extraConnection: false,
  proxyProtection: false,
  promoCode: null,
  email: null,
  gateway: null,
  coin: null,
}

/** The selection for one kind of product: a plan of the other kind is dropped. */
export function choicesOn(kind: ProductKind, choices: Choices): Choices {
  return choices.kind === kind
    ? choices
    : { ...emptyChoices, kind, email: choices.email, gateway: choices.gateway, coin: choices.coin }
}

/** The promo code applied to a plan of this kind, if any. */
export function codeOn(kind: ProductKind, choices: Choices): string | null {
  return choicesOn(kind, choices).promoCode
}

/** The selection that an order was placed with, without its e-mail. */
export function choicesOf({
  kind,
  lines,
  gateway,
}: Pick<Order, "kind" | "lines" | "gateway">): Omit<Choices, "email"> {
  const has = (kind: QuoteLine["kind"]) => lines.some((line) => line.kind === kind)
  return {
    kind: isResellerPlan({ kind }) ? "reseller" : "plan",
    plan: planIdIn(lines),
    extraConnection: has("extraConnection"),
    proxyProtection: has("proxyProtection"),
    promoCode: promoCodeIn(lines),
    gateway,
    coin: null,
  }
}

/** Whether two selections are the same order: also the same e-mail, gateway and promo code. */
export function isSameSelection(one: Choices, other: Choices): boolean {
  const names = Object.keys(emptyChoices) as (keyof Choices)[]
  return names.every((name) => one[name] === other[name])
}

/** Whether a selection has everything an order needs. */
export function isComplete(choices: Choices): choices is CompleteChoices {
  return choices.plan !== null && choices.email !== null && choices.gateway !== null
}
