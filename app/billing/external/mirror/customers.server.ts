import { BillingError, CustomerRejectedError } from "~/billing/billing"
import type { Customers, Visitor } from "~/billing/customers/customers"
import type { ExternalCustomer } from "~/billing/external/external-customers"
import type { Resellers } from "~/billing/resellers"
import type { AccessScope, Customer } from "~/domain/customers/customer"
import { defaultLocale } from "~/domain/locales"
import type { MirrorContext } from "./context.server"
import type { MirroredCustomer, MirrorStore } from "./mirror-store"
import { externalAuth, scopeOf, signedUp } from "./password-scope.server"

/** Customers of the external system. The fields needed to sell are copied locally, under the external ids. */
export function mirrorCustomers(
  mirror: MirrorContext,
): Pick<
  Customers,
  "identify" | "customerOf" | "signIn" | "setPassword" | "endSignUpPassword" | "eraseInactiveCustomers"
> &
  Pick<Resellers, "isReseller" | "resellerAuth"> {
  const { store, externalBilling, local } = mirror
  return {
    async identify(visitor) {
      const remote = await externalBilling.identify(visitor)
      await copied(mirror, remote, visitor)
      return {
        customerId: remote.customerId,
        requiredCurrency: externalBilling.hasSingleCurrency ? remote.currency : null,
      }
    },

    async customerOf(email) {
      const remote = await externalBilling.customerOf(email)
      if (remote === null) await noteUnknown(mirror, email)
      const client = remote && (await copiedIfSame(mirror, remote))
      return client && asCustomer(client, { reach: "account" })
    },

    async signIn(proof) {
      const { local: here, result } = await prove(mirror, proof, () => externalBilling.signIn(proof))
      if (here !== "external") return here
      if (!result) return null
      const client = await copiedIfSame(mirror, result)
      return (
        client && asCustomer(client, await scopeOf(mirror, { remote: result, client, unknown: "account" }))
      )
    },

    /** Stores the password locally if the external system cannot set one. */
    async setPassword(customer, password, now) {
      const { id: customerId, reach, passwordId } = customer
      if (await externalBilling.passwords?.setPassword({ customerId, reach, passwordId }, password)) {
        await store.setExternalScope(customerId, { reach, passwordId }, now())
      } else {
        await local.billing.setPassword(customer, password, now)
      }
    },

    /** If the external system cannot end it, a random local password replaces it. */
    async endSignUpPassword(customerId, at) {
      const client = await store.customer(customerId)
      if (!client) return false
      const isKnown = client.passwordScope === "sign-up" || (await store.hasUnresolvedSignUp(client.email))
      const ended = await endedExternally(mirror, customerId)
      if (ended !== null) await local.billing.endSignUpPassword(customerId, at)
      else if (isKnown) await store.disableExternalPassword(customerId, at)
      await store.resolveSignUps(client.email)
      return ended ?? isKnown
    },

    eraseInactiveCustomers: (before, limit) => store.eraseInactiveCustomers(before, limit),

    async isReseller(customerId) {
      if (await local.billing.isReseller(customerId)) return true
      const email = await emailOf(store, customerId)
      return email === null ? false : externalBilling.isReseller({ customerId, email })
    },

    async resellerAuth(request) {
      const { local: here, result } = await prove(mirror, request, () => externalAuth(mirror, request))
      if (here !== "external") return here
      const client = result && (await copiedIfSame(mirror, result.customer, request))
      return client && asCustomer(client, await scopeOfReseller(mirror, client, { ...result, ...request }))
    },
  }
}

type ResellerSignedIn = {
  readonly made: boolean
  readonly customer: ExternalCustomer
  readonly existing: boolean
}

/** A sign-up that finds an existing account proves the password, but not the e-mail. */
function scopeOfReseller(
  mirror: MirrorContext,
  client: MirroredCustomer,
  { made, customer: remote, existing }: ResellerSignedIn,
): Promise<AccessScope> {
  if (made) return signedUp(mirror, remote)
  return scopeOf(mirror, { remote, client, unknown: existing ? "account" : "sign-up" })
}

/** A customer with services here cannot sign in: the system has been restored from a backup of before, or has another e-mail. */
async function noteUnknown({ local: { billing }, log }: MirrorContext, email: string): Promise<void> {
  const customer = await billing.customerOf(email)
  if (!customer || (await billing.servicesOf(customer)).length === 0) return
  log.warn({ customerId: customer.id }, "customer unknown to external billing")
}

/** Whether the external system ended a sign-up password; null if it cannot tell. */
async function endedExternally(
  { externalBilling: { passwords } }: MirrorContext,
  customerId: string,
): Promise<boolean | null> {
  return passwords ? passwords.endSignUpPassword(customerId) : null
}

/**
 * Verifies a password. A local password takes precedence; `external` means that there is none, and `result` decides. Both
 * are always checked, so that the response time does not reveal which one applies.
 */
async function prove<T>(
  { store }: MirrorContext,
  { email, password }: { email: string; password: string },
  authenticateRemotely: () => Promise<T>,
): Promise<{ local: Customer | null | "external"; result: T }> {
  const [local, result] = await Promise.all([
    store.signInLocally({ email, password }),
    authenticateRemotely(),
  ])
  return { local: local === "no-password" ? "external" : local, result }
}

function asCustomer({ id, email, locale, currency }: MirroredCustomer, scope: AccessScope): Customer {
  return { id, email, locale, currency, ...scope }
}

/** As `copiedIfSame`. Throws a `CustomerRejectedError` if the id is another customer's here. */
export async function copied(
  mirror: MirrorContext,
  remote: ExternalCustomer,
  visitor?: Visitor,
): Promise<MirroredCustomer> {
  const client = await copiedIfSame(mirror, remote, visitor)
  if (client) return client
  throw new CustomerRejectedError(`Customer ${remote.customerId} has the id of another customer`)
}

/**
 * Copies a customer of the external system, and returns the copy. Null: the system has given the id out again, and it is another
 * customer's here, who must not lose orders and credit to this one.
 */
async function copiedIfSame(
  mirror: MirrorContext,
  remote: ExternalCustomer,
  visitor?: Visitor,
): Promise<MirroredCustomer | null> {
  if (!(await copy(mirror.store, remote, visitor ?? { ...asVisitor(remote), at: mirror.now() }))) {
    mirror.log.error({ customerId: remote.customerId }, "external id given out again")
    return null
  }
  const client = await mirror.store.customer(remote.customerId)
  if (!client)
    throw new BillingError("unreadable", "Customer not found after copying it from external billing")
  return client
}

function asVisitor({
  email,
  locale,
  currency,
}: ExternalCustomer): Omit<Visitor, "at" | "country"> & { country: null } {
  const unknown = { address: null, country: null }
  return { email, locale: locale ?? defaultLocale.code, currency: currency ?? "EUR", ...unknown }
}

type Seen = Omit<Visitor, "country"> & { readonly country: Visitor["country"] | null }

async function copy(store: MirrorStore, remote: ExternalCustomer, seen: Seen): Promise<boolean> {
  return store.saveCustomer({
    key: remote.key,
    isNew: remote.isNew,
    id: remote.customerId,
    email: seen.email,
    locale: remote.locale ?? seen.locale,
    currency: remote.currency ?? seen.currency,
    country: seen.country,
    address: seen.address,
    at: seen.at,
  })
}

/** E-mail of a customer; null if the customer is unknown locally, or erased. */
export async function emailOf(store: MirrorStore, customerId: string): Promise<string | null> {
  const customer = await store.customer(customerId)
  return customer && !customer.isErased ? customer.email : null
}
