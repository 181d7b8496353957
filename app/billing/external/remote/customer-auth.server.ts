import { createHmac } from "node:crypto"
import { LRUCache } from "lru-cache"
import { BillingError, CustomerRejectedError, isRefusedByBilling } from "~/billing/billing"
import type { Visitor } from "~/billing/customers/customers"
import type { ExternalCustomer } from "~/billing/external/external-customers"
import type { ResellerSignIn } from "~/billing/resellers"
import { HOUR } from "~/domain/calendar"
import { UNKNOWN_COUNTRY } from "~/domain/customers/country"
import { normalizeEmail } from "~/domain/customers/email"
import { defaultLocale, toLanguageName } from "~/domain/locales"
import {
  isNotFound,
  isRejection,
  nullOnRejection,
  type RemoteCall,
  type RequestParams,
} from "./api-client.server"
import { type AuthResponse, calls } from "./remote-calls"

export type CustomerAuthSettings = {
  /** API keys; the first is sent. */
  readonly keys: readonly string[]
  /** E-mail of a local customer, used to renew an expired token; null: unknown. */
  readonly emailOf: (customerId: string) => Promise<string | null>
}

type RemoteVisitor = Omit<Visitor, "at">

export type CustomerAuth = {
  /** Finds or creates the customer of an e-mail (billing API: auth, authMiddleware). */
  readonly identify: (visitor: RemoteVisitor) => Promise<Known>
  /** Null: unknown e-mail, or the server rejects the lookup (see `isRejection`). */
  readonly findByEmail: (email: string) => Promise<Known | null>
  /** Null: wrong password, or a new account's e-mail is registered already (billing API: resellerAuth). */
  readonly verifyPassword: (account: Omit<ResellerSignIn, "at">) => Promise<Known | null>
  /**
   * A new token for a customer; null if the e-mail is unknown here or the server issues none. Throws what `isNotFound` recognizes if
   * the server says that it has no such customer.
   */
  readonly token: (customerId: string) => Promise<string | null>
}

export type Known = { readonly customer: ExternalCustomer; readonly token: string | null }

/** Customer authentication by the calls `auth`, `authMiddleware` and `resellerAuth`. */
export function remoteCustomerAuth(
  remoteCall: () => RemoteCall,
  { keys, emailOf }: CustomerAuthSettings,
): CustomerAuth {
  const visitors = new LRUCache<string, RemoteVisitor>({ max: 10_000, ttl: HOUR })

  /** `userid`, an extra: the customer to be found, whose e-mail may have changed at the server. An older server ignores it. */
  const auth = (visitor: RemoteVisitor, userid: string | null = null) =>
    remoteCall()(calls.auth, {
      ...toRequestParams(visitor),
      password: derivedPassword(visitor.email, keys[0] ?? ""),
      userid,
    })

  /** The authenticated customer, from the response or, if it has no `userid`, from `authMiddleware`. */
  async function known(email: string, response: AuthResponse): Promise<Known | null> {
    assertSameEmail(email, response)
    const token = response.token || null
    const result = response.userid
      ? response
      : await remoteCall()(calls.authMiddleware, { email }, { token: response.token })
    const { userid: customerId, locale = null, currency = null, reach = null, passwordid } = { ...result }
    const scope = passwordid === undefined ? { reach } : { reach, passwordId: passwordid }
    return customerId ? { customer: { customerId, email, locale, currency, ...scope }, token } : null
  }

  async function findByEmail(email: string): Promise<Known | null> {
    const response = await nullOnRejection(remoteCall()(calls.authMiddleware, { email }))
    return response?.userid ? known(email, response) : null
  }

  return {
    findByEmail,

    async identify(visitor) {
      const { email } = visitor
      const response = await auth(visitor).catch((error: unknown) => onlyRefused(error))
      const found = response instanceof BillingError ? await findByEmail(email) : await known(email, response)
      if (!found) {
        throw response instanceof BillingError
          ? response
          : new BillingError("unreadable", "Customer not found in the response of the billing server")
      }
      visitors.set(found.customer.customerId, visitor)
      return found
    },

    async verifyPassword({ password, existing, ...visitor }) {
      const request = { ...toRequestParams(visitor), password, existingReseller: existing }
      const response = await remoteCall()(calls.resellerAuth, request).catch((error: unknown) =>
        onlyRefused(error),
      )
      if (response instanceof BillingError || response.error) return null
      return response.token || response.userid ? known(visitor.email, response) : null
    },

    async token(customerId) {
      const remembered = visitors.get(customerId)
      const email = remembered?.email ?? (await emailOf(customerId))
      if (email === null) return null
      const response = await nullIfNotIssued(auth(remembered ?? customerByEmailOnly(email), customerId))
      return response?.token || null
    },
  }
}

/** A newer server names the e-mail of the customer whom it answers. Nobody else's orders and services are shown to who asks. */
function assertSameEmail(asked: string, { email }: AuthResponse): void {
  if (email === "" || normalizeEmail(email) === normalizeEmail(asked)) return
  throw new BillingError("unreadable", "The billing server has answered with another customer")
}

/**
 * Returns a rejection, including 401 and 403: a failed authentication may have these statuses. Rethrows the rest, and the
 * rejection of a customer who cannot order.
 */
function onlyRefused(error: unknown): BillingError {
  if (error instanceof CustomerRejectedError) throw error
  if (isRefusedByBilling(error)) return error
  throw error
}

/** Null if the server issues no token. Rethrows that it has no such customer. */
async function nullIfNotIssued<T>(call: Promise<T>): Promise<T | null> {
  return call.catch((error: unknown) => {
    if (isRejection(error) && !isNotFound(error)) return null
    throw error
  })
}

/** Parameters of `auth` and `resellerAuth`; `locale` is an extra. */
function toRequestParams({ email, country, address, locale, currency }: RemoteVisitor): RequestParams {
  const clientip = address
  return { email, country, clientip, language: toLanguageName(locale), currency, locale }
}

/** Default parameters for a customer of whom only the e-mail is known. */
export function customerByEmailOnly(email: string): RemoteVisitor {
  const { code: locale } = defaultLocale
  return { email, country: UNKNOWN_COUNTRY, address: null, locale, currency: "EUR" }
}

/**
 * Password for customers who enter only an e-mail: `auth` requires one. It is an HMAC-SHA256 with the API key, so it is
 * the same on every call and cannot be guessed without the key.
 */
function derivedPassword(email: string, key: string): string {
  return createHmac("sha256", key)
    .update(`customer ${normalizeEmail(email)}`)
    .digest("base64url")
    .slice(0, 24)
}
