import { z } from "zod"

/** The most bytes of UTF-8 that the texts have together: the session's cookie keeps them. */
const MAX_BYTES = 480

/** A line of text, such as a name. Messages are those of the page. */
const Line = (max: number) =>
  z
    .string("required")
    .transform((typed) => typed.replaceAll(/\p{C}/gu, " ").replaceAll(/\s+/g, " ").trim())
    .pipe(z.string().min(1, "required").max(max, "tooLong"))

/** A business as its buyer states it. `taxNumber`: as typed. */
export const StatedBusiness = z
  .object({
    taxNumber: Line(40),
    company: Line(100),
    street: Line(80),
    city: Line(80),
  })
  .refine(
    ({ company, street, city }) =>
      new TextEncoder().encode(JSON.stringify([company, street, city])).length <= MAX_BYTES,
    { path: ["company"], error: "tooLong" },
  )
export type StatedBusiness = z.output<typeof StatedBusiness>

/** The names of its fields, in their order. */
export const businessFields = ["taxNumber", "company", "street", "city"] as const
export type BusinessField = (typeof businessFields)[number]
