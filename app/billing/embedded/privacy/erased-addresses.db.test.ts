import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { DAY, MINUTE } from "~/domain/calendar"
import { EMAIL_CODE_PERIOD } from "~/domain/customers/email-change"
import type { Order } from "~/domain/orders/order"
import { active, NOON, placed, unique } from "../../../../tests/contracts/billing/billing-fixtures"
import {
  type MailingDatabase,
  openMailingDatabase,
  usualMail,
} from "../../../../tests/fixtures/mailing-database"
import { engines } from "../../../../tests/fixtures/temporary-database"

const AT = NOON + MINUTE
const NEW = "anna@example.test"

describe.each(engines)("on %s", (engine) => {
  let database: MailingDatabase
  let backend: ReturnType<MailingDatabase["billingWith"]>
  let order: Order
  beforeEach(async () => {
    database = await openMailingDatabase(engine)
    backend = database.billingWith(usualMail)
    order = await active(backend)
  })
  afterEach(() => database.close())

  /** The customer signs in by mail, gets no reminders, and changes the e-mail. Returns the change. */
  async function changed(): Promise<string> {
    const { signInRequests, mails, emailChanges } = backend
    const id = unique()
    const asked = { email: order.email, locale: "en-en", sessionId: "s", at: NOON } as const
    await signInRequests.create({ ...asked, id: unique() })
    await mails.suppress({ email: order.email, scope: "reminder", reason: "unsubscribed", at: NOON })
    await emailChanges?.create({ id, customerId: order.customerId, email: NEW, locale: "en-en", at: NOON })
    await emailChanges?.confirm(id, { customerId: order.customerId, since: AT - EMAIL_CODE_PERIOD, at: AT })
    return id
  }
  const visitor = { email: NEW, locale: "en-en", currency: "EUR", country: "MA", address: null } as const
  const stored = async () => {
    const tables = ["clients", "mails", "mail_suppressions", "sign_in_requests", "email_changes"] as const
    const rows = await Promise.all(tables.map((it) => database.db.selectFrom(it).selectAll().execute()))
    return JSON.stringify(rows)
  }

  test("an address that messages went to before an operator changed it is in the export, and gone after the erasure", async () => {
    const { customerId, email } = order
    await database.db
      .updateTable("mails")
      .set({ email_key: email })
      .where("client_id", "=", customerId)
      .execute()
    await backend.mails.suppress({ email, scope: "reminder", reason: "unsubscribed", at: NOON })
    await backend.operator.changeEmail({ customerId, to: NEW, at: AT })
    const { mail_suppressions } = (await backend.operator.exportCustomer([customerId])) ?? {}
    expect(mail_suppressions).toHaveLength(2)
    await backend.operator.eraseCustomer([customerId], { force: true })
    expect(await database.db.selectFrom("mail_suppressions").selectAll().execute()).toEqual([])
  })

  test("erasing who has only ordered under an address takes nothing from the customer who has proven it", async () => {
    const { customerId } = await backend.billing.identify({ ...visitor, at: NOON - DAY })
    const change = await changed()
    const mailsBefore = await backend.operator.mails({ customerId: order.customerId, limit: 9 })
    expect(await backend.billing.eraseInactiveCustomers(NOON - DAY, 10)).toBe(1)
    expect(await backend.operator.customer(customerId)).toMatchObject({ email: "erased" })
    expect(await backend.mails.suppressionsOf(NEW)).toMatchObject([{ scope: "reminder" }])
    expect(await backend.operator.mails({ customerId: order.customerId, limit: 9 })).toEqual(mailsBefore)
    expect(await backend.emailChanges?.revert(change, AT + DAY)).toBe("reverted")
  })

  test("a customer's former addresses are in the export, and gone after the erasure", async () => {
    await backend.billing.identify({ ...visitor, at: NOON })
    await changed()
    const exported = await backend.operator.exportCustomer([order.customerId])
    expect(exported?.mail_suppressions).toHaveLength(2)
    expect(exported?.sign_in_requests).toHaveLength(1)
    expect(exported?.mails?.map(({ name }) => name)).toContain("sign-in")
    expect(exported?.clients).toHaveLength(1)
    await backend.operator.eraseCustomer([order.customerId], { force: true })
    const after = await stored()
    for (const address of [order.email, NEW]) expect(after).not.toContain(address)
  })

  test("an address with letters beyond ASCII is gone after the erasure, however it was typed", async () => {
    const { customerId } = await placed(backend, {
      ...(await backend.billing.identify({ ...visitor, email: "ännä@example.test", at: NOON })),
    })
    const asked = { locale: "en-en", sessionId: "s", at: NOON } as const
    await backend.signInRequests.create({ ...asked, id: unique(), email: "ÄNNÄ@example.test" })
    const log = { address: { text: "Ännä@", isBeginning: true }, limit: 9 }
    expect(await backend.operator.mailPage(log)).toMatchObject([{ email: "ÄNNÄ@example.test" }])
    await backend.operator.eraseCustomer([customerId], { force: true })
    expect((await stored()).toLowerCase()).not.toContain("ännä@")
  })
})
