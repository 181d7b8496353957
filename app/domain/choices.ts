import type { ProductKind } from "./catalogue"
import type { GatewayId } from "./gateway-id"
import type { Order } from "./order"
import type { Extras, QuoteLine } from "./pricing"

/** What a visitor has chosen so far: remembered between pages, offered again after a change of mind. */
export type Choices = Extras & {
  /** The price list the plan is on. */
  readonly kind: ProductKind
  readonly plan: string | null
  readonly promoCode: string | null
  readonly email: string | null
  readonly gateway: GatewayId | null
  /** What to pay in there, on our own page; null leaves it to the gateway's. */
  readonly coin: string | null
}

/** A choice that can be ordered: nothing is missing any more. */
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

/** The choices on one price list: what was chosen on the other one has no meaning there. */
export function choicesOn(kind: ProductKind, choices: Choices): Choices {
  return choices.kind === kind
    ? choices
    : { ...emptyChoices, kind, email: choices.email, gateway: choices.gateway, coin: choices.coin }
}

/** The code that was applied to a price list's plan, if any. */
export function codeOn(kind: ProductKind, choices: Choices): string | null {
  return choicesOn(kind, choices).promoCode
}

/** What an order was made of, to be chosen again. Its e-mail is not in it. */
export function choicesOf({
  kind,
  lines,
  gateway,
}: Pick<Order, "kind" | "lines" | "gateway">): Omit<Choices, "email"> {
  const has = (kind: QuoteLine["kind"]) => lines.some((line) => line.kind === kind)
  return {
    kind: kind === "reseller" ? "reseller" : "plan",
    plan: lines.find((line) => line.kind === "plan")?.productId ?? null,
    extraConnection: has("extraConnection"),
    proxyProtection: has("proxyProtection"),
    promoCode: lines.find((line) => line.kind === "discount")?.code ?? null,
    gateway,
    coin: null,
  }
}

export function isComplete(choices: Choices): choices is CompleteChoices {
  return choices.plan !== null && choices.email !== null && choices.gateway !== null
}
