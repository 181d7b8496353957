import { createHmac } from "node:crypto"
import { LRUCache } from "lru-cache"
import { BillingError } from "~/billing/billing"
import type { Visitor } from "~/billing/customers"
import type { ExternalCustomer } from "~/billing/external/external-customers"
import type { ResellerAccount } from "~/billing/resellers"
import { HOUR } from "~/domain/calendar"
import { UNKNOWN_COUNTRY } from "~/domain/country"
import { normalizeEmail } from "~/domain/email"
import { defaultLocale } from "~/domain/locales"
import { nullOnRejection, type RemoteCall, type RequestParams } from "./api-client.server"
import { type Account, calls } from "./endpoints"
import { languageOf } from "./languages"

export type AccountSettings = {
  /** The first is sent. */
  readonly keys: readonly string[]
  /** The e-mail of a customer of ours; null: nobody knows him. A token that has ended is had anew by it. */
  readonly emailOf: (customerId: string) => Promise<string | null>
}

type RemoteVisitor = Omit<Visitor, "at">

export type Accounts = {
  /** Finds or makes the customer of an e-mail (spec: auth, authMiddleware). */
  readonly enter: (visitor: RemoteVisitor) => Promise<Known>
  /** Null: nobody has that e-mail, or it cannot be said without a token. */
  readonly named: (email: string) => Promise<Known | null>
  /** Null: that is not his password, or the e-mail is taken already (spec: resellerAuth). */
  readonly prove: (account: Omit<ResellerAccount, "at">) => Promise<Known | null>
  /** A new token for somebody whose e-mail is known; null where they give none. */
  readonly token: (customerId: string) => Promise<string | null>
}

export type Known = { readonly customer: ExternalCustomer; readonly token: string | null }

/** Who customers are, in the three calls that tell. */
export function remoteAccounts(remoteCall: () => RemoteCall, { keys, emailOf }: AccountSettings): Accounts {
  const visitors = new LRUCache<string, RemoteVisitor>({ max: 10_000, ttl: HOUR })

  const auth = (visitor: RemoteVisitor) =>
    remoteCall()(calls.auth, { ...toRequestParams(visitor), password: madeUp(visitor.email, keys[0] ?? "") })

  /** Who it is whom they have let in, whether they say it with the token or have to be asked. */
  async function known(email: string, account: Account): Promise<Known | null> {
    const token = account.token || null
    const result = account.userid
      ? account
      : await remoteCall()(calls.authMiddleware, { email }, { token: account.token })
    const { userid: customerId, locale = null, currency = null, reach = null, passwordid } = { ...result }
    const scope = passwordid === undefined ? { reach } : { reach, passwordId: passwordid }
    return customerId ? { customer: { customerId, email, locale, currency, ...scope }, token } : null
  }

  async function named(email: string): Promise<Known | null> {
    const account = await nullOnRejection(remoteCall()(calls.authMiddleware, { email }))
    return account?.userid ? known(email, account) : null
  }

  return {
    named,

    async enter(visitor) {
      const { email } = visitor
      const account = await auth(visitor).catch((error: unknown) => onlyRefused(error))
      const found = account instanceof BillingError ? await named(email) : await known(email, account)
      if (!found) {
        throw account instanceof BillingError
          ? account
          : new BillingError("unreadable", "They name no customer")
      }
      visitors.set(found.customer.customerId, visitor)
      return found
    },

    async prove({ password, existing, ...visitor }) {
      const request = { ...toRequestParams(visitor), password, existingReseller: existing }
      const account = await remoteCall()(calls.resellerAuth, request).catch((error: unknown) =>
        onlyRefused(error),
      )
      if (account instanceof BillingError || account.error) return null
      return account.token || account.userid ? known(visitor.email, account) : null
    },

    async token(customerId) {
      const remembered = visitors.get(customerId)
      const email = remembered?.email ?? (await emailOf(customerId))
      if (email === null) return null
      const account = await nullOnRejection(auth(remembered ?? customerByEmailOnly(email)))
      return account?.token || null
    },
  }
}

/** A no to who somebody is may be told as 401 too. */
function onlyRefused(error: unknown): BillingError {
  if (error instanceof BillingError && error.kind === "refused") return error
  throw error
}

/** What they are told of somebody; `locale` is an extra. */
function toRequestParams({ email, country, address, locale, currency }: RemoteVisitor): RequestParams {
  const clientip = address
  return { email, country, clientip, language: languageOf(locale), currency, locale }
}

/** All that is left to say of a customer whose e-mail alone is known. */
export function customerByEmailOnly(email: string): RemoteVisitor {
  const { code: locale } = defaultLocale
  return { email, country: UNKNOWN_COUNTRY, address: null, locale, currency: "EUR" }
}

/**
 * Whoever only types his e-mail has no password, and they want one. It is the same on every try, so that they know
 * the account for ours, and nobody can guess it who does not have the key.
 */
function madeUp(email: string, key: string): string {
  return createHmac("sha256", key)
    .update(`customer ${normalizeEmail(email)}`)
    .digest("base64url")
    .slice(0, 24)
}
