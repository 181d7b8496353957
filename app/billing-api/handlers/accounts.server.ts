import { isRefusedByBilling } from "~/billing/billing"
import { accountOf, toAuthResponse, toCustomerResponse } from "~/billing-api/contract/customers"
import type { RequestOf, ResponseOf } from "~/billing-api/contract/endpoints"
import type { LoggedServices, Services } from "~/context/services.server"
import { countryIn, UNKNOWN_COUNTRY } from "~/domain/customers/country"
import type { AccessScope, Customer } from "~/domain/customers/customer"
import { defaultLocale, parseLocaleCode } from "~/domain/locales"
import { customerLocation } from "~/flows/checkout/customer-location.server"
import { attemptSignIn } from "~/flows/customers/sign-in.server"
import { ApiError, notFound } from "./api-error"
import { type ApiCall, ownerOf } from "./ownership"

/**
 * Finds or creates the customer of an e-mail, or finds the one with an id (billing API: auth). Responds 404 to an unknown id. The API key grants access to all customers; the token only
 * selects one of them and is worthless without the key.
 */
export async function auth({ services }: ApiCall, request: RequestOf<"auth">): Promise<ResponseOf<"auth">> {
  const customer = await customerNamed(services, request)
  if (!customer) throw notFound("Customer")
  return accountOf(customer, await tokenOf(services, customer))
}

async function customerNamed(services: LoggedServices, request: RequestOf<"auth">): Promise<Customer | null> {
  const { billing } = services
  if (request.userid !== undefined) return billing.customerById(request.userid)
  await billing.identify({ email: request.email, ...visitorIn(services, request) })
  return billing.customerOf(request.email)
}

export async function authMiddleware(
  { services }: ApiCall,
  { email }: RequestOf<"authMiddleware">,
): Promise<ResponseOf<"authMiddleware">> {
  const customer = await services.billing.customerOf(email)
  if (!customer) throw notFound("Customer")
  return toCustomerResponse(customer)
}

/** Authenticates a reseller by password or creates the account (billing API: resellerAuth). Rate-limited like sign-in. */
export async function resellerAuth(
  { services }: ApiCall,
  request: RequestOf<"resellerAuth">,
): Promise<ResponseOf<"resellerAuth">> {
  const { billing } = services
  const { email, password, existingReseller: existing = false, clientip: address = null } = request
  const isNew = !existing && (await billing.customerOf(email)) === null
  const account = { email, password, existing, ...visitorIn(services, request) }
  const proof = await attemptSignIn(services, { email, address, visitor: null }, () =>
    billing.resellerAuth(account),
  )
  if (proof.kind === "too-many")
    throw new ApiError("rate-limited", "Rate limit exceeded", proof.retryAfterSeconds)
  if (proof.kind === "overloaded") {
    throw new ApiError("unavailable", "Too many concurrent sign-ins, retry later", proof.retryAfterSeconds)
  }
  if (proof.kind === "wrong") throw new ApiError("invalid-credentials", "Invalid email or password")
  const { customer } = proof
  const made = isNew && customer.reach === "sign-up"
  return toAuthResponse(customer, { token: await tokenOf(services, customer), made })
}

export async function setPassword(
  api: ApiCall,
  request: RequestOf<"setPassword">,
): Promise<ResponseOf<"setPassword">> {
  const id = ownerOf(api, request.userid)
  const { reach = "sign-up", passwordid: passwordId } = request
  try {
    const { billing, now } = api.services
    await billing.setPassword({ id, reach, passwordId }, request.password, now)
  } catch (error) {
    if (!isRefusedByBilling(error)) throw error
    throw new ApiError("conflict", "Password has been changed in the meantime")
  }
  return { result: "success" }
}

export async function endSignUpPassword(
  api: ApiCall,
  { userid }: RequestOf<"endSignUpPassword">,
): Promise<ResponseOf<"endSignUpPassword">> {
  const ended = await api.services.billing.endSignUpPassword(ownerOf(api, userid), api.services.now())
  return { result: "success", ended }
}

/** Access scope of the customer's session at the caller. Older callers do not send it: null. */
export function scopeIn({
  reach,
  passwordid,
}: Pick<RequestOf<"order">, "reach" | "passwordid">): AccessScope | null {
  if (reach === "sign-up") return passwordid === undefined ? null : { reach, passwordId: passwordid }
  return reach === undefined ? null : { reach }
}

export async function isReseller(
  { services }: ApiCall,
  { userid }: RequestOf<"isReseller">,
): Promise<ResponseOf<"isReseller">> {
  return { error: "", reseller: await services.billing.isReseller(userid) }
}

function tokenOf({ apiAuth, now }: Pick<Services, "apiAuth" | "now">, { id }: Customer): Promise<string> {
  if (!apiAuth) throw new ApiError("unavailable", "API is not enabled")
  return apiAuth.token(id, now())
}

/** Visitor data of a request, with the shop's defaults for missing fields. */
function visitorIn(services: LoggedServices, request: RequestOf<"auth">) {
  const country = countryIn(request.country?.toUpperCase() ?? UNKNOWN_COUNTRY)
  return {
    locale: request.locale ?? parseLocaleCode(request.language) ?? defaultLocale.code,
    currency: request.currency ?? services.shop.currency,
    ...customerLocation(services, { country, address: request.clientip ?? null }),
    at: services.now(),
  }
}
