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
import { authThere, noteScope, scopeOf, shutOut, signedUp } from "./password-scope.server"

/** The customers are theirs; what we must know of them to sell here is copied, under their ids. */
export function mirrorCustomers(
  beside: MirrorContext,
): Pick<
  Customers,
  "identify" | "customerOf" | "signIn" | "setPassword" | "endSignUpPassword" | "eraseInactiveCustomers"
> &
  Pick<Resellers, "isReseller" | "resellerAuth"> {
  const { books, externalBilling, ours } = beside
  return {
    async identify(visitor) {
      const theirs = await externalBilling.identify(visitor)
      await copy(books, theirs, visitor)
      return {
        customerId: theirs.customerId,
        requiredCurrency: externalBilling.hasSingleCurrency ? theirs.currency : null,
      }
    },

    async customerOf(email) {
      const theirs = await externalBilling.customerOf(email)
      return theirs && asCustomer(await copied(beside, theirs), { reach: "account" })
    },

    async signIn(proof) {
      const { here, answer } = await prove(beside, proof, () => externalBilling.signIn(proof))
      if (here !== "theirs") return here
      if (!answer) return null
      const client = await copied(beside, answer)
      return asCustomer(client, await scopeOf(books, { theirs: answer, client, unknown: "account" }))
    },

    /** Where they have no way to set one, it is kept here. */
    async setPassword(customer, password, now) {
      const { id: customerId, reach, passwordId } = customer
      if (await externalBilling.setPassword({ customerId, reach, passwordId }, password)) {
        await noteScope(books, customerId, { reach, passwordId }, sessionsEnded(reach, now()))
      } else {
        await setPassword(books, customer, { password, now })
      }
    },

    /** Where they cannot end one, a password that nobody knows holds here instead of theirs. */
    async endSignUpPassword(customerId, at) {
      const client = await clientById(books, customerId)
      if (!client) return false
      const isKnown = client.password_scope === "sign-up" || (await hasUnresolvedSignUp(books, client.email))
      const ended = await externalBilling.endSignUpPassword(customerId)
      if (ended !== null) await endSignUpPassword(books, customerId, at)
      else if (isKnown) await shutOut(books, customerId, at)
      await resolveSignUps(books, client.email)
      return ended ?? isKnown
    },

    eraseInactiveCustomers: (before, most) =>
      withBillingErrors(eraseInactiveCustomers(books, { before, most, passwords: "keep" })),

    async isReseller(customerId) {
      if (await ours.billing.isReseller(customerId)) return true
      const email = await emailOf(books, customerId)
      return email === null ? false : externalBilling.isReseller({ customerId, email })
    },

    async resellerAuth(account) {
      const { here, answer } = await prove(beside, account, () => authThere(beside, account))
      if (here !== "theirs") return here
      if (!answer) return null
      const { made, customer: theirs } = answer
      const client = await copied(beside, theirs, account)
      if (made) return asCustomer(client, await signedUp(books, theirs))
      // Whoever says that he is new has shown no more than that the password is his.
      const unknown = account.existing ? "account" : "sign-up"
      return asCustomer(client, await scopeOf(books, { theirs, client, unknown }))
    },
  }
}

/**
 * A password that has been set here holds instead of theirs, which `theirs` stands for. Both are always looked at: the
 * answer takes as long either way.
 */
async function prove<T>(
  { books }: MirrorContext,
  { email, password }: { email: string; password: string },
  createApiClient: () => Promise<T>,
): Promise<{ here: Customer | null | "theirs"; answer: T }> {
  const client = await clientOf(books, email)
  const hash = client?.password_hash ?? null
  const [isOurs, answer] = await Promise.all([verifyPassword(password, hash), createApiClient()])
  if (!client || hash === null) return { here: "theirs", answer }
  return { here: isOurs ? asCustomer(client, await scopeOfPassword(books, client)) : null, answer }
}

function asCustomer({ id, email, locale, currency }: ClientRow, scope: AccessScope): Customer {
  return { id, email, locale, currency, ...scope }
}

async function copied(
  beside: MirrorContext,
  theirs: ExternalCustomer,
  visitor?: Visitor,
): Promise<ClientRow> {
  await copy(beside.books, theirs, visitor ?? { ...asVisitor(theirs), at: beside.now() })
  const client = await clientById(beside.books, theirs.customerId)
  if (!client) throw new BillingError("unreadable", "The customer that was just copied is not there")
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

/** Writes a customer down once. An e-mail that has come to belong to another customer is his from then on. */
async function copy({ db }: DbContext, theirs: ExternalCustomer, seen: Seen): Promise<void> {
  const email = seen.email.trim()
  const email_key = normalizeEmail(email)
  const { customerId: id } = theirs
  await db
    .updateTable("clients")
    .set({ email_key: `${email_key} of ${id} no more`, ...NO_PASSWORD })
    .where("email_key", "=", email_key)
    .where("id", "!=", id)
    .execute()
  await db
    .insertInto("clients")
    .values({
      ...{ id, email_key, email, ...NO_PASSWORD },
      ...{ locale: theirs.locale ?? seen.locale, currency: theirs.currency ?? seen.currency },
      ...{ country: seen.country, address: seen.address, created_at: seen.at },
    })
    .onConflict((conflict) =>
      conflict.column("id").doUpdateSet((row) => ({
        email_key,
        // Whoever has been erased here and comes back has a name again.
        email: row.case().when("clients.email", "=", ERASED).then(email).else(row.ref("clients.email")).end(),
      })),
    )
    .execute()
}

function clientById({ db }: DbContext, id: string): Promise<ClientRow | undefined> {
  return db.selectFrom("clients").selectAll().where("id", "=", id).executeTakeFirst()
}

/** Null: nobody of that id has been here, or he has been erased. */
export async function emailOf(books: DbContext, customerId: string): Promise<string | null> {
  const email = (await clientById(books, customerId))?.email ?? null
  return email === ERASED ? null : email
}
