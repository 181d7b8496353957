import type { PhpValue } from "~/http/php-serialize"
import { shown } from "./product-mapping"
import type { WhmcsConfigOption } from "./product-schema"

type Held = { readonly id: string; readonly value: string }

/**
 * How "so many of it" is said of an option: a quantity as such, yes as 1, a choice of a list by its id (the first
 * number in its name, or for one the choice that was shown). Null: that many cannot be said.
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

/** 0 as the most is without limit. */
function isWithin({ maxqty }: WhmcsConfigOption, count: number): boolean {
  return !maxqty || count <= maxqty
}

/** The same as UpdateClientProduct takes it: a list by its choice's id, else the only choice and how often. */
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

/** How many of an option a service has, as GetClientsProducts words it: "2", "Yes", or the name of a choice. */
export function countIn(value: string): number {
  const text = shown(value).toLowerCase()
  if (NONE.has(text)) return 0
  return ONE.has(text) ? 1 : (numberIn(text) ?? 1)
}

function numberIn(name: string): number | null {
  const digits = /\d{1,4}/.exec(shown(name))?.[0]
  return digits === undefined ? null : Number(digits)
}

/** What a service has of an option, as it would be ordered; null when that cannot be told. */
export function valueHeld(option: WhmcsConfigOption, held: readonly Held[]): string | null {
  const value = held.find(({ id }) => id === option.id)?.value
  if (value === undefined) return null
  if (option.type === "quantity" || option.type === "yesno") return String(countIn(value))
  const same = (name: string) => name === value || shown(name) === shown(value)
  return option.options.find(({ name }) => same(name))?.id ?? null
}
