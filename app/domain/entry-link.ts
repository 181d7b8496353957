import { z } from "zod"
import type { Choices } from "./choices"
import { isEmail } from "./email"

/** A value that makes no sense is as good as none: a link must never lead to an error page. */
const sensible = <S extends z.ZodType>(schema: S) => schema.optional().catch(undefined)

const Yes = z.enum(["1", "true", "yes", "on"])

/** What a link into the shop may say (spec, section 2); whatever else it says is not ours. */
export const EntryLink = z.object({
  promocode: sensible(z.string().trim().min(1).max(64)),
  email: sensible(z.string().trim().refine(isEmail)),
  pid: sensible(z.string().regex(/^\d{1,9}$/)),
  extraconnect: sensible(Yes),
  proxyprotect: sensible(Yes),
})

export type EntryLink = z.output<typeof EntryLink>

/** The names a link may use; they are dropped from the address once they have been read. */
export const entryNames: readonly string[] = Object.keys(EntryLink.shape)

/** The visitor's choices with what the link says; what it does not mention stays as it was. */
export function choicesFrom(link: EntryLink, choices: Choices): Choices {
  return {
    ...choices,
    plan: link.pid ?? choices.plan,
    promoCode: link.promocode ?? choices.promoCode,
    email: link.email ?? choices.email,
    extraConnection: link.extraconnect !== undefined || choices.extraConnection,
    proxyProtection: link.proxyprotect !== undefined || choices.proxyProtection,
  }
}
