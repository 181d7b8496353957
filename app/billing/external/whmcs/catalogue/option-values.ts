import type { PhpValue } from "~/http/php-serialize"
import { shown } from "./product-mapping"
import type { WhmcsConfigOption } from "./product-schema"

type Held = { readonly id: string; readonly value: string }

/**
 * The value that orders `count` units of an option: the number for `quantity`, 0 or 1 for `yesno`, a choice id for a
 * list. In a list, `choiceId` stands for one unit; otherwise the first number in a choice's name is its count. Null if
 * the option has no value for that count.
 */
export function valueFor(option: WhmcsConfigOption, count: number, choiceId?: string): string | null {
  if (option.type === "quantity") return isWithin(option, count) ? String(count) : null
  if (option.type === "yesno") return count <= 1 ? String(count) : null
  return choiceFor(option, count, choiceId)?.id ?? null
}

function choiceFor({ options }: WhmcsConfigOption, count: number, choiceId: string | undefined) {
  const taken = count === 1 ? options.find(({ id }) => id === choiceId) : undefined
  return taken ?? options.find(({ name }) => numberIn(name) === count)
}

/** `maxqty` 0 means unlimited. */
function isWithin({ maxqty }: WhmcsConfigOption, count: number): boolean {
  return !maxqty || count <= maxqty
}

/**
 * The same value for UpdateClientProduct: a choice id for lists, otherwise the id of the only choice and a quantity.
 */
export function changeFor(option: WhmcsConfigOption, value: string): PhpValue {
  if (option.type === "dropdown" || option.type === "radio") return Number(value)
  const only = option.options[0]?.id ?? "0"
  const change: [string, PhpValue][] = [
    ["optionid", Number(only)],
    ["qty", Number(value)],
  ]
  return new Map(change)
}

const NONE = new Set(["", "no", "none", "off", "false", "-"])
const ONE = new Set(["yes", "on", "true"])

/**
 * Parses an option's count from GetClientsProducts: "2", "Yes" or the name of a choice. An unknown name counts as 1.
 */
export function countIn(value: string): number {
  const text = shown(value).toLowerCase()
  if (NONE.has(text)) return 0
  return ONE.has(text) ? 1 : (numberIn(text) ?? 1)
}

function numberIn(name: string): number | null {
  const digits = /\d{1,4}/.exec(shown(name))?.[0]
  return digits === undefined ? null : Number(digits)
}

/** The current value of a service's option, in the form that orders it; null if unknown. */
export function valueHeld(option: WhmcsConfigOption, held: readonly Held[]): string | null {
  const value = held.find(({ id }) => id === option.id)?.value
  if (value === undefined) return null
  if (option.type === "quantity" || option.type === "yesno") return String(countIn(value))
  const same = (name: string) => name === value || shown(name) === shown(value)
  return option.options.find(({ name }) => same(name))?.id ?? null
}
