import { z } from "zod"
import { BillingError } from "~/billing/billing"
import type { FormFields } from "~/http/form-client.server"
import type { WhmcsApi } from "./api.server"
import { hasList, isRecord, itemsIn, Whole } from "./response-schema"

const PAGE = 100
const MAX_PAGES = 50

type List<T extends z.ZodType> = {
  readonly action: string
  readonly params: FormFields
  /** Keys of the list and of its items: `["products", "product"]`. */
  readonly path: readonly [string, string]
  readonly item: T
}

/**
 * Reads all pages of a list: 100 items each, at most 50 pages. Throws `BillingError` "unreadable" for invalid items.
 */
export async function allOf<T extends z.ZodType>(api: WhmcsApi, list: List<T>): Promise<z.output<T>[]> {
  const { action, params, path, item } = list
  const [plural, singular] = path
  const Page = z
    .unknown()
    .refine((response) => hasList(response, plural), `has no ${plural}`)
    .transform((response) => ({
      all: Whole.safeParse(fieldOf(response, "totalresults")).data ?? null,
      items: itemsIn(fieldOf(response, plural), singular),
    }))
  const found: unknown[] = []
  for (let page = 0; page < MAX_PAGES; page++) {
    const body = await api.read(action, { ...params, limitstart: found.length, limitnum: PAGE }, Page)
    const { items } = body
    found.push(...items)
    // Some versions omit `totalresults`; then a page that is not full is the last one.
    const all = body.all ?? (items.length < PAGE ? found.length : Number.POSITIVE_INFINITY)
    if (items.length === 0 || found.length >= all) break
  }
  const read = z.array(item).safeParse(found)
  if (read.success) return read.data
  const where = z.prettifyError(read.error)
  throw new BillingError("unreadable", `Invalid WHMCS response to ${action}: ${where}`)
}

function fieldOf(value: unknown, name: string): unknown {
  return isRecord(value) ? value[name] : undefined
}
