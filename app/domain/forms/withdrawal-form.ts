import { z } from "zod"
import { isEmail, typedEmail } from "../customers/email"

/** The order that a buyer withdraws from, by its number and e-mail. */
export const NamedOrder = z.object({
  order: z
    .string()
    .trim()
    .toUpperCase()
    .regex(/^[A-Z0-9-]{1,64}$/),
  email: z.string().trim().refine(isEmail).transform(typedEmail),
})
export type NamedOrder = z.output<typeof NamedOrder>
