import { z } from "zod"
import { Id, TextField } from "./field-types"

export const EmptyRequest = z.object({})
export const ProductRef = z.object({ id: Id })
export const ProductRequest = z.object({ pid: Id })
export const CodeRequest = z.object({ code: TextField(64).min(1) })

/**
 * A click on an affiliate link. `visitor`: pseudonym of the visitor; without it every click counts as a new visitor.
 */
export const Click = z.object({
  aff_id: z.coerce.string().regex(/^\d{1,9}$/),
  referer: z.string().max(2_000).optional(),
  visitor: z.string().max(64).optional(),
})
