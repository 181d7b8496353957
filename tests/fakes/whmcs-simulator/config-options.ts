import type { Choice } from "~/domain/catalogue/catalogue"
import type { Currency } from "~/domain/money/money"
import type { Item, Option } from "./catalogue"
import { priceIn } from "./installation"
import type { PhpMap, PhpValue } from "./php-unserialize"
import type { Chosen, ServiceCycle } from "./state"

type Sent = ReadonlyMap<string, PhpValue>

/** Resolves the options of an order: the submitted values, and WHMCS's defaults for the rest. */
export function chosenIn(item: Item, sent: Sent, minOnly: boolean): Record<string, Chosen> {
  const chosen = item.options.map((option) => [option.id, chosenOf(option, sent.get(option.id), minOnly)])
  return Object.fromEntries(chosen)
}

function chosenOf(option: Option, sent: PhpValue | undefined, minOnly: boolean): Chosen {
  const value = typeof sent === "object" ? "" : String(sent ?? "")
  const first = firstChoice(option).id
  if (option.type !== "1") return { choiceId: first, quantity: quantityOf(option, value, minOnly) }
  return { choiceId: option.choices.find(({ id }) => id === value)?.id ?? first, quantity: 1 }
}

/** A yes/no option is 0 or 1. `minOnly`: a submitted quantity is ignored. */
function quantityOf({ type }: Option, value: string, minOnly: boolean): number {
  if (type === "3") return ["", "0"].includes(value) ? 0 : 1
  return minOnly ? 0 : Math.max(0, whole(value))
}

/** A dropdown always has a choice: the first one if no valid choice was submitted. */
function firstChoice(option: Option): Choice {
  const [first] = option.choices
  if (!first) throw new Error(`Option ${option.id} has nothing to choose`)
  return first
}

/** Applies UpdateClientProduct's map: a choice's id, or `{optionid, qty}`; omitted options are unchanged. */
export function rechosen(item: Item, before: Readonly<Record<string, Chosen>>, sent: PhpMap) {
  const changes = item.options.flatMap((option) => {
    const value = sent.get(option.id)
    return value === undefined ? [] : [[option.id, rechosenOf(option, before[option.id], value)] as const]
  })
  return { ...before, ...Object.fromEntries(changes) }
}

function rechosenOf(option: Option, before: Chosen | undefined, value: PhpValue): Chosen {
  const quantity = value instanceof Map ? whole(String(value.get("qty") ?? "")) : (before?.quantity ?? 0)
  const id = String(value instanceof Map ? value.get("optionid") : value)
  const choiceId = option.choices.find((choice) => choice.id === id)?.id
  // A choice that the option does not have is not stored.
  if (!choiceId) return before ?? { choiceId: firstChoice(option).id, quantity: 0 }
  return { choiceId, quantity: option.type === "1" ? 1 : quantity }
}

/** Price of a service's options for its cycle; an option without a price for the cycle is free. */
export function optionsPrice(
  item: Item,
  chosen: Readonly<Record<string, Chosen>>,
  { currency, cycle }: { currency: Currency; cycle: ServiceCycle },
): number {
  const prices = item.options.map((option) => {
    const { choiceId, quantity } = chosen[option.id] ?? { choiceId: "", quantity: 0 }
    const choice = option.choices.find(({ id }) => id === choiceId)
    return choice ? (priceIn(choice.pricing, currency, cycle) ?? 0) * quantity : 0
  })
  return prices.reduce((sum, price) => sum + price, 0)
}

/** Parses the leading digits of a text, as PHP's `(int)` does. */
export function whole(value: string): number {
  return Number.parseInt(value, 10) || 0
}
