import { z } from "zod"
import type { ProductKind } from "../catalogue/catalogue"
import { isEmail } from "../customers/email"
import { type Choices, choicesOn } from "./choices"

/** Treats an invalid value as missing: a link must never lead to an error page. */
const sensible = <S extends z.ZodType>(schema: S) => schema.optional().catch(undefined)

const Text = z.string().trim()
const Switch = Text.pipe(
  z.stringbool({ truthy: ["1", "true", "yes", "on"], falsy: ["0", "false", "no", "off"] }),
)
/** A plus without encoding, as in `?email=ana+tv@example.com`, arrives as a space, which no e-mail has. */
const Email = Text.transform((typed) => typed.replaceAll(" ", "+")).refine(isEmail)
const Name = z.string().regex(/^[\w-]{1,64}$/)

/** Entry-link parameters (specification, Entry links); others are ignored. */
export const EntryLink = z.object({
  promocode: sensible(Text.min(1).max(64)),
  email: sensible(Email),
  pid: sensible(Text.regex(/^\d{1,9}$/)),
  extraconnect: sensible(Switch),
  proxyprotect: sensible(Switch),
  /** `continue`: the browser has been sent a session cookie meanwhile. */
  auto_redirect: sensible(z.enum(["true", "continue"])),
  aff_id: sensible(z.string().regex(/^\d{1,9}$/)),
  serviceid: sensible(Name),
  /** Expiry (seconds since 1970) and signature of a sign-in link (specification, Identity). */
  expires: sensible(z.string().regex(/^\d{1,12}$/)),
  signature: sensible(Name),
  /** Resume token of a gateway's return URL. */
  resume: sensible(z.string().regex(/^[\w-]{1,64}\.[\w-]{1,64}$/)),
})

export type EntryLink = z.output<typeof EntryLink>

/** Parameter names; removed from the URL once they have been read. */
export const entryNames: readonly string[] = Object.keys(EntryLink.shape)

/** Parses entry-link parameters; null if the query has none. */
export function entryLinkIn(query: URLSearchParams): EntryLink | null {
  return entryNames.some((name) => query.has(name)) ? EntryLink.parse(Object.fromEntries(query)) : null
}

/**
 * The selection with a link's parameters applied; the others stay unchanged. `kind`: kind of product on the linked page.
 */
export function choicesFrom(link: EntryLink, kind: ProductKind, before: Choices): Choices {
  const choices = isForBuying(link) ? choicesOn(kind, before) : before
  return {
    ...choices,
    plan: link.pid ?? choices.plan,
    promoCode: link.promocode ?? choices.promoCode,
    email: link.email ?? choices.email,
    extraConnection: link.extraconnect ?? choices.extraConnection,
    proxyProtection: link.proxyprotect ?? choices.proxyProtection,
  }
}

/** Whether a link selects something to buy. */
export function isForBuying({ pid, promocode, extraconnect, proxyprotect }: EntryLink): boolean {
  return [pid, promocode, extraconnect, proxyprotect].some((it) => it !== undefined)
}
