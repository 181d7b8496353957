import { BillingError } from "~/billing/billing"
import type { Customers, Visitor } from "~/billing/customers"
import {
  clientOf,
  endSignUpPassword,
  NO_PASSWORD,
  scopeOfPassword,
  sessionsEnded,
  setPassword,
} from "~/billing/embedded/customers/customers.server"
import { verifyPassword } from "~/billing/embedded/customers/password-hash.server"
import { hasUnresolvedSignUp, resolveSignUps } from "~/billing/embedded/customers/unresolved-sign-ups.server"
import type { ClientRow } from "~/billing/embedded/db/schema/order-rows"
import { type DbContext, withBillingErrors } from "~/billing/embedded/db/transaction.server"
import { ERASED } from "~/billing/embedded/privacy/erasure.server"
import { eraseInactiveCustomers } from "~/billing/embedded/privacy/retention.server"
import type { ExternalCustomer } from "~/billing/external/external-customers"
import type { Resellers } from "~/billing/resellers"
import type { AccessScope, Customer } from "~/domain/customer"
import { normalizeEmail } from "~/domain/email"
import { defaultLocale } from "~/domain/locales"
import type { MirrorContext } from "./context.server"
import { externalAuth, noteScope, scopeOf, shutOut, signedUp } from "./password-scope.server"

/** Customers of the external system. The fields needed to sell are copied locally, under the external ids. */
export function mirrorCustomers(
  mirror: MirrorContext,
): Pick<
  Customers,
  "identify" | "customerOf" | "signIn" | "setPassword" | "endSignUpPassword" | "eraseInactiveCustomers"
> &
  Pick<Resellers, "isReseller" | "resellerAuth"> {
  const { ctx, externalBilling, local } = mirror
  return {
    async identify(visitor) {
      const remote = await externalBilling.identify(visitor)
      await copy(ctx, remote, visitor)
      return {
        customerId: remote.customerId,
        requiredCurrency: externalBilling.hasSingleCurrency ? remote.currency : null,
      }
    },

    async customerOf(email) {
      const remote = await externalBilling.customerOf(email)
      return remote && asCustomer(await copied(mirror, remote), { reach: "account" })
    },

    async signIn(proof) {
      const { local: here, result } = await prove(mirror, proof, () => externalBilling.signIn(proof))
      if (here !== "external") return here
      if (!result) return null
      const client = await copied(mirror, result)
      return asCustomer(client, await scopeOf(ctx, { remote: result, client, unknown: "account" }))
    },

    /** Stores the password locally if the external system cannot set one. */
    async setPassword(customer, password, now) {
      const { id: customerId, reach, passwordId } = customer
      if (await externalBilling.setPassword({ customerId, reach, passwordId }, password)) {
        await noteScope(ctx, customerId, { reach, passwordId }, sessionsEnded(reach, now()))
      } else {
        await setPassword(ctx, customer, { password, now })
      }
    },

    /** If the external system cannot end it, a random local password replaces it. */
    async endSignUpPassword(customerId, at) {
      const client = await clientById(ctx, customerId)
      if (!client) return false
      const isKnown = client.password_scope === "sign-up" || (await hasUnresolvedSignUp(ctx, client.email))
      const ended = await externalBilling.endSignUpPassword(customerId)
      if (ended !== null) await endSignUpPassword(ctx, customerId, at)
      else if (isKnown) await shutOut(ctx, customerId, at)
      await resolveSignUps(ctx, client.email)
      return ended ?? isKnown
    },

    eraseInactiveCustomers: (before, limit) =>
      withBillingErrors(eraseInactiveCustomers(ctx, { before, limit, passwords: "keep" })),

    async isReseller(customerId) {
      if (await local.billing.isReseller(customerId)) return true
      const email = await emailOf(ctx, customerId)
      return email === null ? false : externalBilling.isReseller({ customerId, email })
    },

    async resellerAuth(request) {
      const { local: here, result } = await prove(mirror, request, () => externalAuth(mirror, request))
      if (here !== "external") return here
      if (!result) return null
      const { made, customer: remote } = result
      const client = await copied(mirror, remote, request)
      if (made) return asCustomer(client, await signedUp(ctx, remote))
      // A sign-up that finds an existing account proves the password, but not the e-mail.
      const unknown = request.existing ? "account" : "sign-up"
      return asCustomer(client, await scopeOf(ctx, { remote, client, unknown }))
    },
  }
}

/**
 * Verifies a password. A local password takes precedence; `external` means that there is none, and `result` decides. Both
 * are always checked, so that the response time does not reveal which one applies.
 */
async function prove<T>(
  { ctx }: MirrorContext,
  { email, password }: { email: string; password: string },
  authenticateRemotely: () => Promise<T>,
): Promise<{ local: Customer | null | "external"; result: T }> {
  const client = await clientOf(ctx, email)
  const hash = client?.password_hash ?? null
  const [matchesLocal, result] = await Promise.all([verifyPassword(password, hash), authenticateRemotely()])
  if (!client || hash === null) return { local: "external", result }
  return { local: matchesLocal ? asCustomer(client, await scopeOfPassword(ctx, client)) : null, result }
}

function asCustomer({ id, email, locale, currency }: ClientRow, scope: AccessScope): Customer {
  return { id, email, locale, currency, ...scope }
}

async function copied(
  mirror: MirrorContext,
  remote: ExternalCustomer,
  visitor?: Visitor,
): Promise<ClientRow> {
  await copy(mirror.ctx, remote, visitor ?? { ...asVisitor(remote), at: mirror.now() })
  const client = await clientById(mirror.ctx, remote.customerId)
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

type Seen = Pick<Visitor, "email" | "locale" | "currency" | "address" | "at"> & Pick<ClientRow, "country">

/** Upserts a customer. A customer who had the e-mail before loses it, and the local password. */
async function copy({ db }: DbContext, remote: ExternalCustomer, seen: Seen): Promise<void> {
  const email = seen.email.trim()
  const email_key = normalizeEmail(email)
  const { customerId: id } = remote
  await db
    .updateTable("clients")
    .set({ email_key: `${email_key} of ${id} no more`, ...NO_PASSWORD })
    .where("email_key", "=", email_key)
    .where("id", "!=", id)
    .execute()
  await db
    .insertInto("clients")
    .values({
      id,
      email_key,
      email,
      ...NO_PASSWORD,
      locale: remote.locale ?? seen.locale,
      currency: remote.currency ?? seen.currency,
      country: seen.country,
      address: seen.address,
      created_at: seen.at,
    })
    .onConflict((conflict) =>
      conflict.column("id").doUpdateSet((row) => ({
        email_key,
        // An erased customer who returns gets the e-mail back.
        email: row.case().when("clients.email", "=", ERASED).then(email).else(row.ref("clients.email")).end(),
      })),
    )
    .execute()
}

function clientById({ db }: DbContext, id: string): Promise<ClientRow | undefined> {
  return db.selectFrom("clients").selectAll().where("id", "=", id).executeTakeFirst()
}

/** E-mail of a customer; null if the customer is unknown locally, or erased. */
export async function emailOf(ctx: DbContext, customerId: string): Promise<string | null> {
  const email = (await clientById(ctx, customerId))?.email ?? null
  return email === ERASED ? null : email
}
