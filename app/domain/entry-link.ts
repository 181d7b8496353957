import { z } from "zod"
import type { ProductKind } from "./catalogue"
import { type Choices, choicesOn } from "./choices"
import { isEmail } from "./email"

/** A value that makes no sense is as good as none: a link must never lead to an error page. */
const sensible = <S extends z.ZodType>(schema: S) => schema.optional().catch(undefined)

const Yes = z.enum(["1", "true", "yes", "on"])
const Name = z.string().regex(/^[\w-]{1,64}$/)

/** What a link into the shop may say (spec, section 2); whatever else it says is not ours. */
export const EntryLink = z.object({
  promocode: sensible(z.string().trim().min(1).max(64)),
  email: sensible(z.string().trim().refine(isEmail)),
  pid: sensible(z.string().regex(/^\d{1,9}$/)),
  extraconnect: sensible(Yes),
  proxyprotect: sensible(Yes),
  auto_redirect: sensible(z.literal("true")),
  aff_id: sensible(z.string().regex(/^\d{1,9}$/)),
  serviceid: sensible(Name),
  /** With these an operator's link proves whose e-mail it is (design, section 6); seconds since 1970. */
  expires: sensible(z.string().regex(/^\d{1,12}$/)),
  signature: sensible(Name),
  /** The way back to an order from the gateway. */
  resume: sensible(z.string().regex(/^[\w-]{1,64}\.[\w-]{1,64}$/)),
})

export type EntryLink = z.output<typeof EntryLink>

/** The names a link may use; they are dropped from the address once they have been read. */
export const entryNames: readonly string[] = Object.keys(EntryLink.shape)

/** What a link says; null when it says nothing of ours. */
export function entryLinkIn(query: URLSearchParams): EntryLink | null {
  return entryNames.some((name) => query.has(name)) ? EntryLink.parse(Object.fromEntries(query)) : null
}

/**
 * The visitor's choices with what the link says; what it does not mention stays as it was. `kind`: the price list of
 * the page that the link leads to.
 */
export function choicesFrom(link: EntryLink, kind: ProductKind, before: Choices): Choices {
  const choices = isForBuying(link) ? choicesOn(kind, before) : before
  return {
    ...choices,
    plan: link.pid ?? choices.plan,
    promoCode: link.promocode ?? choices.promoCode,
    email: link.email ?? choices.email,
    extraConnection: link.extraconnect !== undefined || choices.extraConnection,
    proxyProtection: link.proxyprotect !== undefined || choices.proxyProtection,
  }
}

/** Whether a link leads to something to buy rather than to what somebody has. */
export function isForBuying({ pid, promocode, extraconnect, proxyprotect }: EntryLink): boolean {
  return [pid, promocode, extraconnect, proxyprotect].some((it) => it !== undefined)
}
