import type { GatewayId } from "./gateway-id"
import type { Extras } from "./pricing"

/** What a visitor has chosen so far: remembered between pages, offered again after a change of mind. */
export type Choices = Extras & {
  readonly plan: string | null
  readonly promoCode: string | null
  readonly email: string | null
  readonly gateway: GatewayId | null
}

/** A choice that can be ordered: nothing is missing any more. */
export type CompleteChoices = Choices & {
  readonly plan: string
  readonly email: string
  readonly gateway: GatewayId
}

export const noChoices: Choices = {
  plan: null,
  extraConnection: false,
  proxyProtection: false,
  promoCode: null,
  email: null,
  gateway: null,
}

export function isComplete(choices: Choices): choices is CompleteChoices {
  return choices.plan !== null && choices.email !== null && choices.gateway !== null
}
