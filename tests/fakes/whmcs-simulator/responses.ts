import type { Quirks } from "./quirks"

export type Value = string | number | boolean | null | List | readonly Value[] | WhmcsResponse
export type WhmcsResponse = { readonly [key: string]: Value | undefined }

/** A list as WHMCS serializes it: wrapped as `{"product": [...]}`, in one of many formats. */
export class List {
  constructor(
    readonly inner: string,
    readonly items: readonly Value[],
  ) {}
}

/** Every observed list format (docs/whmcs.md, Responses). Where a format is impossible, an array is used. */
export const listShapes = [
  "array",
  "numeric-keys",
  "bare",
  "flattened",
  "empty-object",
  "empty-string",
  "null",
  "absent",
  "all-empty-string",
] as const
export type ListShape = (typeof listShapes)[number]

type Shape = (inner: string, items: readonly unknown[]) => unknown

const asArray: Shape = (inner, items) => ({ [inner]: items })
const whenEmpty =
  (empty: (inner: string) => unknown): Shape =>
  (inner, items) =>
    items.length === 0 ? empty(inner) : asArray(inner, items)

const shapes: Record<ListShape, Shape> = {
  array: asArray,
  flattened: asArray,
  "numeric-keys": (inner, items) => ({ [inner]: items.length === 0 ? [] : { ...items } }),
  bare: (inner, items) => ({ [inner]: items.length === 1 ? items[0] : items }),
  "empty-object": whenEmpty((inner) => ({ [inner]: {} })),
  "empty-string": whenEmpty((inner) => ({ [inner]: "" })),
  null: whenEmpty((inner) => ({ [inner]: null })),
  absent: whenEmpty(() => ({})),
  "all-empty-string": whenEmpty(() => ""),
}

/** Fields whose numeric type differs between versions: ids, counts and option types. */
const NUMERIC = /^(?!transid$|subscriptionid$)([a-z_]*id|qty|currency|default|type|uses|maxuses|visitors)$/
const COUNTS = /^(totalresults|startnumber|numreturned|ordernum|requires\w*|recur\w*|\w*qty)$/
const INTEGER = /^(0|[1-9]\d{0,14})$/

/** Serializes a response with the installation's current quirks. */
export function written(
  response: WhmcsResponse,
  { lists, numbers }: Pick<Quirks, "lists" | "numbers">,
): unknown {
  return shaped(response, "")

  function shaped(value: Value | undefined, key: string): unknown {
    if (value instanceof List) {
      return shapes[lists](
        value.inner,
        value.items.map((it) => shaped(it, key)),
      )
    }
    if (Array.isArray(value)) return value.map((it) => shaped(it, key))
    if (typeof value === "object" && value !== null) {
      return Object.fromEntries(Object.entries(value).map(([name, held]) => [name, shaped(held, name)]))
    }
    return numbered(value, key)
  }

  function numbered(value: unknown, key: string): unknown {
    if (numbers === "strings" && ["number", "boolean"].includes(typeof value)) return String(value)
    const mayBe = numbers === "numbers" && (NUMERIC.test(key) || COUNTS.test(key))
    return mayBe && typeof value === "string" && INTEGER.test(value) ? Number(value) : value
  }
}

/** Flattens keys as on some documentation pages: `{"currencies[currency][0][id]": "1"}`. */
export function flattened(value: unknown, prefix = ""): Record<string, unknown> {
  if (typeof value !== "object" || value === null) return { [prefix]: value }
  const entries = Object.entries(value).map(([key, held]) =>
    flattened(held, prefix === "" ? key : `${prefix}[${key}]`),
  )
  return Object.assign({}, ...entries)
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#039;",
}

/** Encodes every text of a response like `htmlspecialchars`. */
export function htmlEncoded(value: unknown): unknown {
  if (typeof value === "string") return value.replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign)
  if (Array.isArray(value)) return value.map(htmlEncoded)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, held]) => [key, htmlEncoded(held)]))
}
