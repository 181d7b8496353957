import { z } from "zod"
import { Country, Id, TextField } from "./field-types"

export const EmptyRequest = z.object({})
export const ProductRef = z.object({ id: Id })
/** In a shop that adds tax to its prices, they are with that of the country; without one as in the catalogue. */
const BuyerCountry = { country: Country.optional() }

export const ProductsRequest = z.object(BuyerCountry)

export const ProductRequest = z.object({ pid: Id, ...BuyerCountry })
export const CodeRequest = z.object({ code: TextField(64).min(1) })

/**
 * A click on an affiliate link. `visitor`: pseudonym of the visitor; without it every click counts as a new visitor.
 */
export const Click = z.object({
  aff_id: z.coerce.string().regex(/^\d{1,9}$/),
  referer: z.string().max(2_000).optional(),
  visitor: z.string().max(64).optional(),
})
