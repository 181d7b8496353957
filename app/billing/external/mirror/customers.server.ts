import { BillingError } from "~/billing/billing"
import type { Customers, Visitor } from "~/billing/customers"
import { clientOf, sessionsEnded, setPassword } from "~/billing/embedded/customers/customers.server"
import { isPassword } from "~/billing/embedded/customers/password-hash.server"
import type { ClientRow } from "~/billing/embedded/db/schema/order-rows"
import { type Books, told } from "~/billing/embedded/db/transaction.server"
import { ERASED } from "~/billing/embedded/privacy/erasure.server"
import { forgetUnpaid } from "~/billing/embedded/privacy/retention.server"
import type { TheirCustomer } from "~/billing/external/external-customers"
import type { Resellers } from "~/billing/resellers"
import type { Customer, Proven, Reach } from "~/domain/customer"
import { emailKey } from "~/domain/email"
import { defaultLocale } from "~/domain/locales"
import type { Beside } from "./context.server"

/** The customers are theirs; what we must know of them to sell here is copied, under their ids. */
export function customersBeside(
  beside: Beside,
): Pick<Customers, "identify" | "customerOf" | "signIn" | "setPassword" | "forgetUnpaid"> &
  Pick<Resellers, "isReseller" | "resellerAuth"> {
  const { books, backoffice, ours } = beside
  return {
    async identify(visitor) {
      const theirs = await backoffice.identify(visitor)
      await copy(books, theirs, visitor)
      return { customerId: theirs.customerId, paysIn: backoffice.oneCurrency ? theirs.currency : null }
    },

    async customerOf(email) {
      const theirs = await backoffice.customerOf(email)
      return theirs && asCustomer(await copied(beside, theirs), "account")
    },

    async signIn(proof) {
      const { here, answer } = await prove(beside, proof, () => backoffice.signIn(proof))
      if (here !== "theirs") return here
      if (!answer) return null
      const client = await copied(beside, answer)
      return asCustomer(client, answer.reach ?? client.password_reach ?? "account")
    },

    /** Where they have no way to set one, it is kept here. */
    async setPassword(customer, password, now) {
      const { id: customerId, reach } = customer
      try {
        await backoffice.setPassword({ customerId, reach }, password)
        await noteReach(books, { id: customerId, reach }, sessionsEnded(reach, now()))
      } catch (error) {
        if (!(error instanceof BillingError) || error.kind !== "refused") throw error
        await setPassword(books, customer, { password, now })
      }
    },

    forgetUnpaid: (before, most) => told(forgetUnpaid(books, { before, most, passwords: "keep" })),

    async isReseller(customerId) {
      if (await ours.billing.isReseller(customerId)) return true
      const email = await emailOf(books, customerId)
      return email === null ? false : backoffice.isReseller({ customerId, email })
    },

    async resellerAuth(account) {
      const { here, answer } = await prove(beside, account, () => backoffice.resellerAuth(account))
      if (here !== "theirs") return here
      if (!answer) return null
      const client = await copied(beside, answer.customer, account)
      const reach = reachOf(answer, client, account.existing)
      if (client.password_reach === null) await noteReach(books, { id: client.id, reach })
      return asCustomer(client, reach)
    },
  }
}

/**
 * A password that has been set here holds instead of theirs, which `theirs` stands for. Both are always looked at: the
 * answer takes as long either way.
 */
async function prove<T>(
  { books }: Beside,
  { email, password }: { email: string; password: string },
  askThem: () => Promise<T>,
): Promise<{ here: Customer | null | "theirs"; answer: T }> {
  const client = await clientOf(books, email)
  const hash = client?.password_hash ?? null
  const [isOurs, answer] = await Promise.all([isPassword(password, hash), askThem()])
  if (!client || hash === null) return { here: "theirs", answer }
  return { here: isOurs ? asCustomer(client, client.password_reach ?? "sign-up") : null, answer }
}

type Proof = NonNullable<Awaited<ReturnType<Beside["backoffice"]["resellerAuth"]>>>

/** Whoever says that he is new has shown no more than that the password is his. */
function reachOf({ made, customer }: Proof, client: ClientRow, existing: boolean): Reach {
  if (made) return "sign-up"
  return customer.reach ?? client.password_reach ?? (existing ? "account" : "sign-up")
}

function asCustomer({ id, email, locale, currency }: ClientRow, reach: Reach): Customer {
  return { id, email, locale, currency, reach }
}

async function copied(beside: Beside, theirs: TheirCustomer, visitor?: Visitor): Promise<ClientRow> {
  await copy(beside.books, theirs, visitor ?? { ...asVisitor(theirs), at: beside.now() })
  const client = await clientById(beside.books, theirs.customerId)
  if (!client) throw new BillingError("unreadable", "The customer that was just copied is not there")
  return client
}

function asVisitor({
  email,
  locale,
  currency,
}: TheirCustomer): Omit<Visitor, "at" | "country"> & { country: null } {
  const unknown = { address: null, country: null }
  return { email, locale: locale ?? defaultLocale.code, currency: currency ?? "EUR", ...unknown }
}

type Seen = Pick<Visitor, "email" | "locale" | "currency" | "address" | "at"> & Pick<ClientRow, "country">

/** Writes a customer down once. An e-mail that has come to belong to another customer is his from then on. */
async function copy({ db }: Books, theirs: TheirCustomer, seen: Seen): Promise<void> {
  const email = seen.email.trim()
  const email_key = emailKey(email)
  const { customerId: id } = theirs
  await db
    .updateTable("clients")
    .set({ email_key: `${email_key} of ${id} no more`, password_hash: null, password_reach: null })
    .where("email_key", "=", email_key)
    .where("id", "!=", id)
    .execute()
  await db
    .insertInto("clients")
    .values({
      ...{ id, email_key, email, password_hash: null, password_reach: null },
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

function clientById({ db }: Books, id: string): Promise<ClientRow | undefined> {
  return db.selectFrom("clients").selectAll().where("id", "=", id).executeTakeFirst()
}

async function noteReach(
  { db }: Books,
  { id, reach }: Proven,
  ended: Partial<ReturnType<typeof sessionsEnded>> = {},
): Promise<void> {
  await db
    .updateTable("clients")
    .set({ password_reach: reach, password_hash: null, ...ended })
    .where("id", "=", id)
    .execute()
}

/** Null: nobody of that id has been here, or he has been erased. */
export async function emailOf(books: Books, customerId: string): Promise<string | null> {
  const email = (await clientById(books, customerId))?.email ?? null
  return email === ERASED ? null : email
}
