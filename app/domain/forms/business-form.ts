import { z } from "zod"

/** The most bytes of UTF-8 that the texts have together: the session's cookie keeps them. */
const MAX_BYTES = 480

/** The names of its fields, in their order, with their longest texts in characters. */
export const businessLengths = { taxNumber: 40, company: 100, street: 80, city: 80 } as const
export type BusinessField = keyof typeof businessLengths
export const businessFields = Object.keys(businessLengths) as BusinessField[]

/** A line of text, such as a name. Messages are those of the page. */
const Line = (max: number) =>
  z
    .string("required")
    .transform((typed) => typed.replaceAll(/\p{C}/gu, " ").replaceAll(/\s+/g, " ").trim())
    .pipe(z.string().min(1, "required").max(max, "tooLong"))

/** A business as its buyer states it. `taxNumber`: as typed. */
export const StatedBusiness = z
  .object({
    taxNumber: Line(businessLengths.taxNumber),
    company: Line(businessLengths.company),
    street: Line(businessLengths.street),
    city: Line(businessLengths.city),
  })
  .refine(
    ({ company, street, city }) =>
      new TextEncoder().encode(JSON.stringify([company, street, city])).length <= MAX_BYTES,
    { path: ["company"], error: "tooLong" },
  )
export type StatedBusiness = z.output<typeof StatedBusiness>
