import type { LoggedServices, Services } from "~/context/services.server"
import {
  type AuthenticatedCustomer,
  type Customer,
  ownsAccount,
  type Proof,
} from "~/domain/customers/customer"
import { normalizeEmail } from "~/domain/customers/email"
import { hasRecentMailProof } from "~/domain/customers/email-change"
import type { LocaleCode } from "~/domain/locales"
import { loggedLimit, type RateLimitSubject } from "~/security/rate-limits.server"
import { signIn } from "./sign-in.server"

/** A signed-in customer, and how the session has proven that. */
export type ProvenCustomer = {
  readonly customer: AuthenticatedCustomer & Pick<Customer, "email">
  readonly proof: Proof | null
}

/**
 * What a change of e-mail asks for: the customer's `password`; to sign in again by mail (`sign-in`), if there is no password;
 * or nothing more.
 */
export type NeededProof = "password" | "sign-in" | "nothing"

/**
 * Whether a session may change the customer's e-mail. Not one that has proven a sign-up's password or nothing alone, nor with
 * external billing, nor in a shop without mail.
 */
export function mayChangeEmail(
  { emailChanges, shop }: Pick<Services, "emailChanges" | "shop">,
  { customer, proof }: ProvenCustomer,
): boolean {
  const isPossible = emailChanges !== null && shop.mailSender !== null && !shop.trustEmailLinks
  return isPossible && customer.reach === "account" && proof !== null && proof.how !== "trusted-link"
}

/** What the session still has to show; null if it may not change the e-mail. */
export async function neededProof(
  services: Pick<Services, "emailChanges" | "shop" | "now">,
  session: ProvenCustomer,
): Promise<NeededProof | null> {
  if (services.emailChanges === null || !mayChangeEmail(services, session)) return null
  if (await services.emailChanges.hasPassword(session.customer.id)) return "password"
  return hasRecentMailProof(session.proof, services.now()) ? "nothing" : "sign-in"
}

export type RequestedEmailChange =
  | { readonly kind: "requested" }
  /** The session may not change it. */
  | { readonly kind: "not-permitted" }
  /** The e-mail is the customer's already. */
  | { readonly kind: "same" }
  | { readonly kind: "password-missing" | "wrong-password" }
  /** Sign in again by mail first. */
  | { readonly kind: "sign-in" }
  | { readonly kind: "too-many" | "overloaded"; readonly retryAfterSeconds: number }

type Request = ProvenCustomer & {
  /** As typed. */
  readonly email: string
  readonly password: string
  readonly locale: LocaleCode
  readonly who: RateLimitSubject
}

/**
 * Asks for another e-mail: a code goes to the new address, and a link that stops the change to the present one. The answer does
 * not tell whether the new address is another customer's; the message to it does.
 */
export async function requestEmailChange(
  services: LoggedServices,
  request: Request,
): Promise<RequestedEmailChange> {
  const { emailChanges, newId, now } = services
  const { customer, email, locale } = request
  const needed = await neededProof(services, request)
  if (emailChanges === null || needed === null) return { kind: "not-permitted" }
  if (needed === "sign-in") return { kind: "sign-in" }
  if (normalizeEmail(email) === normalizeEmail(customer.email)) return { kind: "same" }
  const refusal =
    (needed === "password" ? await refusedPassword(services, request) : null) ??
    (await limited(services, request))
  if (refusal) return refusal
  await emailChanges.create({ id: newId(), customerId: customer.id, email, locale, at: now() })
  services.wakeJobs()
  services.log.info({ customerId: customer.id }, "change of email requested")
  return { kind: "requested" }
}

/** Null: the password is the account's. Counts as a sign-in for the rate limits. */
async function refusedPassword(
  services: LoggedServices,
  { customer, password, who }: Request,
): Promise<RequestedEmailChange | null> {
  if (password === "") return { kind: "password-missing" }
  const { address, visitor } = who
  const proof = await signIn(services, { email: customer.email, password, address, visitor })
  if (proof.kind === "wrong") return { kind: "wrong-password" }
  if (proof.kind !== "proven") return proof
  return ownsAccount(proof.customer, { customerId: customer.id }) ? null : { kind: "wrong-password" }
}

async function limited(
  { rateLimits, log }: LoggedServices,
  { customer, email, who: { address, visitor } }: Request,
): Promise<RequestedEmailChange | null> {
  const change = { address, visitor, customerId: customer.id, email: normalizeEmail(email) }
  const allowed = await loggedLimit(log, { limit: "email-change", address }, rateLimits.emailChange(change))
  return allowed.ok ? null : { kind: "too-many", retryAfterSeconds: allowed.retryAfterSeconds }
}
