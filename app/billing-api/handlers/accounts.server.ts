import { BillingError } from "~/billing/billing"
import { accountOf, knownOf, provenOf } from "~/billing-api/contract/customers"
import type { Said, Told } from "~/billing-api/contract/endpoints"
import { localeIn } from "~/billing-api/contract/languages"
import type { Services } from "~/context/services.server"
import { countryIn, UNKNOWN_COUNTRY } from "~/domain/country"
import type { AccessScope, Customer } from "~/domain/customer"
import { defaultLocale } from "~/domain/locales"
import { whereabouts } from "~/flows/checkout/customer-location.server"
import { tryToProve } from "~/flows/customers/sign-in.server"
import { ApiRefusal, notFound } from "./api-error"
import { type Api, ownerOf } from "./ownership"

/**
 * Finds or makes the customer of an e-mail (spec: auth). Whoever has the key speaks for all customers, and says with
 * the token which one he speaks for: it proves nothing to anybody else.
 */
export async function auth({ services }: Api, said: Said<"auth">): Promise<Told<"auth">> {
  const { billing } = services
  await billing.identify({ email: said.email, ...visitorIn(services, said) })
  const customer = await billing.customerOf(said.email)
  if (!customer) throw notFound("Customer")
  return accountOf(customer, await tokenOf(services, customer))
}

export async function authMiddleware(
  { services }: Api,
  { email }: Said<"authMiddleware">,
): Promise<Told<"authMiddleware">> {
  const customer = await services.billing.customerOf(email)
  if (!customer) throw notFound("Customer")
  return knownOf(customer)
}

/** Proves a reseller by his password, or makes him an account (spec: resellerAuth), as often as may be tried. */
export async function resellerAuth(
  { services }: Api,
  said: Said<"resellerAuth">,
): Promise<Told<"resellerAuth">> {
  const { billing } = services
  const { email, password, existingReseller: existing = false, clientip: address = null } = said
  const isNew = !existing && (await billing.customerOf(email)) === null
  const account = { email, password, existing, ...visitorIn(services, said) }
  const proof = await tryToProve(services, { email, address, visitor: null }, () =>
    billing.resellerAuth(account),
  )
  if (proof.kind === "too-many")
    throw new ApiRefusal("rate-limited", "Rate limit exceeded", proof.retryAfterSeconds)
  if (proof.kind === "overloaded") {
    throw new ApiRefusal("unavailable", "Too many concurrent sign-ins, retry later", proof.retryAfterSeconds)
  }
  if (proof.kind === "wrong") throw new ApiRefusal("invalid-credentials", "Invalid email or password")
  const { customer } = proof
  const made = isNew && customer.reach === "sign-up"
  return provenOf(customer, { token: await tokenOf(services, customer), made })
}

export async function setPassword(api: Api, said: Said<"setPassword">): Promise<Told<"setPassword">> {
  const id = ownerOf(api, said.userid)
  const { reach = "sign-up", passwordid: passwordId } = said
  try {
    const { billing, now } = api.services
    await billing.setPassword({ id, reach, passwordId }, said.password, now)
  } catch (error) {
    if (!(error instanceof BillingError) || error.kind !== "refused") throw error
    throw new ApiRefusal("conflict", "Password has been changed in the meantime")
  }
  return { result: "success" }
}

export async function endSignUpPassword(
  api: Api,
  { userid }: Said<"endSignUpPassword">,
): Promise<Told<"endSignUpPassword">> {
  const ended = await api.services.billing.endSignUpPassword(ownerOf(api, userid), api.services.now())
  return { result: "success", ended }
}

/** The scope in which a caller says that a customer orders. What older callers say cannot be told apart: none. */
export function scopeIn({
  reach,
  passwordid,
}: Pick<Said<"order">, "reach" | "passwordid">): AccessScope | null {
  if (reach === "sign-up") return passwordid === undefined ? null : { reach, passwordId: passwordid }
  return reach === undefined ? null : { reach }
}

export async function isReseller(
  { services }: Api,
  { userid }: Said<"isReseller">,
): Promise<Told<"isReseller">> {
  return { error: "", reseller: await services.billing.isReseller(userid) }
}

function tokenOf({ served, now }: Services, { id }: Customer): Promise<string> {
  if (!served) throw new ApiRefusal("unavailable", "API is not enabled")
  return served.token(id, now())
}

/** What is not said of a visitor is as the operator has decided. */
function visitorIn(services: Services, said: Said<"auth">) {
  const country = countryIn(said.country?.toUpperCase() ?? UNKNOWN_COUNTRY)
  const market = { ...services.market, country }
  return {
    locale: said.locale ?? localeIn(said.language) ?? defaultLocale.code,
    currency: said.currency ?? services.shop.currency,
    ...whereabouts({ ...services, market }, said.clientip ?? null),
    at: services.now(),
  }
}
