import type { LoggedServices, Services } from "~/context/services.server"
import type { Customer } from "~/domain/customers/customer"
import type { EntryLink } from "~/domain/orders/entry-link"
import { type LinkVerdict, verifyLink } from "~/security/signed-link.server"

export type LinkedCustomer =
  /** The link has a valid signature. */
  | { readonly kind: "proven"; readonly customer: Customer }
  /** The link is unsigned, and TRUST_EMAIL_LINKS is on. */
  | { readonly kind: "trusted"; readonly customer: Customer }
  /** The signature is valid but expired. */
  | { readonly kind: "expired" }
  | { readonly kind: "unknown" }

/** The customer that a link signs in, if any: by signature, or by TRUST_EMAIL_LINKS. */
export async function verifySignInLink(services: LoggedServices, link: EntryLink): Promise<LinkedCustomer> {
  const verdict = verdictOn(services, link)
  if (verdict === "expired") return { kind: "expired" }
  const kind = verdict === "valid" ? "proven" : "trusted"
  const counts = verdict === "valid" || services.shop.trustEmailLinks
  const customer = counts && link.email ? await services.billing.customerOf(link.email) : null
  return customer ? { kind, customer } : { kind: "unknown" }
}

function verdictOn({ signer, now }: Pick<Services, "signer" | "now">, link: EntryLink): LinkVerdict {
  const { email, expires, signature, serviceid } = link
  if (!email || !expires || !signature) return "invalid"
  return verifyLink(signer, { email, expires, signature, serviceId: serviceid ?? null }, now())
}
