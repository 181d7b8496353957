import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { active, NOON, placed, unique } from "../../../../tests/contracts/billing/billing-fixtures"
import {
  type MailingDatabase,
  openMailingDatabase,
  usualMail,
} from "../../../../tests/fixtures/mailing-database"
import { engines } from "../../../../tests/fixtures/temporary-database"

const AT = NOON + 1_000

describe.each(engines)("an e-mail changed by the operator on %s", (engine) => {
  let database: MailingDatabase
  let backend: ReturnType<MailingDatabase["billingWith"]>
  beforeEach(async () => {
    database = await openMailingDatabase(engine)
    backend = database.billingWith(usualMail)
  })
  afterEach(() => database.close())

  test("of two operators who correct it at the same moment one does, and the other is told", async () => {
    const { customerId, email: emailBefore } = await active(backend)
    const correct = (to: string) => backend.operator.changeEmail({ customerId, to, emailBefore, at: AT })
    const done = await Promise.all(["one@example.test", "two@example.test"].map(correct))
    expect(done.toSorted()).toEqual([false, true])
  })

  test("keeps what the customer has, and ends sessions and links of the former one", async () => {
    const order = await active(backend)
    expect(
      await backend.operator.changeEmail({ customerId: order.customerId, to: "New@example.test", at: AT }),
    ).toBe(true)
    expect(await backend.billing.customerOf(order.email)).toBeNull()
    const customer = await backend.billing.customerOf("new@example.test")
    expect(customer).toMatchObject({ id: order.customerId, email: "New@example.test" })
    const services = await backend.billing.servicesOf({ id: order.customerId, reach: "account" })
    expect(services).toMatchObject([{ orderId: order.id }])
    const session = {
      id: "another browser",
      asOf: NOON,
      customer: { id: order.customerId, reach: "account" as const },
      orderId: null,
      serviceIds: [],
    }
    expect(await backend.sessions.isEnded(session)).toBe(true)
    expect(await backend.sessions.isEnded({ ...session, asOf: AT })).toBe(false)
    expect(await backend.billing.order(order.id)).toMatchObject({ emailProven: false })
  })

  test("causes a message to both addresses", async () => {
    const order = await active(backend)
    await backend.operator.changeEmail({ customerId: order.customerId, to: "new@example.test", at: AT })
    const messages = await database.db
      .selectFrom("mails")
      .select(["email", "detail"])
      .where("name", "=", "address-changed")
      .orderBy("once_key")
      .execute()
    expect(messages).toEqual([
      { email: order.email, detail: "new@example.test" },
      { email: "new@example.test", detail: "new@example.test" },
    ])
  })

  test("lets a link of a message to the former one end reminders at both", async () => {
    const order = await active(backend)
    const [mail] = await database.db
      .updateTable("mails")
      .set({ email_key: order.email })
      .where("client_id", "=", order.customerId)
      .returning("id")
      .execute()
    await backend.operator.changeEmail({ customerId: order.customerId, to: "new@example.test", at: AT })
    expect(await backend.mails.unsubscribe(mail?.id ?? "", { reason: "unsubscribed", at: AT })).toBe(true)
    for (const email of [order.email, "new@example.test"])
      expect(await backend.mails.suppressionsOf(email)).toMatchObject([{ scope: "reminder" }])
  })

  test("leaves a customer who has unsubscribed from reminders without them", async () => {
    const order = await active(backend)
    await backend.mails.suppress({ email: order.email, scope: "reminder", reason: "unsubscribed", at: NOON })
    await backend.operator.changeEmail({ customerId: order.customerId, to: "New@example.test", at: AT })
    expect(await backend.mails.suppressionsOf("new@example.test")).toMatchObject([{ scope: "reminder" }])
  })

  test("leaves who had an address that is another customer's now with their own reminders", async () => {
    const [typed, owner] = [await placed(backend), await active(backend)]
    const change = {
      id: unique(),
      customerId: owner.customerId,
      email: typed.email,
      locale: "en-en",
      at: NOON,
    } as const
    await backend.emailChanges?.create(change)
    await backend.emailChanges?.confirm(change.id, {
      customerId: owner.customerId,
      since: NOON - 1,
      at: NOON,
    })
    await backend.mails.suppress({ email: typed.email, scope: "reminder", reason: "unsubscribed", at: NOON })
    await backend.operator.changeEmail({ customerId: typed.customerId, to: "new@example.test", at: AT })
    expect(await backend.billing.customerOf("new@example.test")).toMatchObject({ id: typed.customerId })
    expect(await backend.mails.suppressionsOf("new@example.test")).toEqual([])
  })

  test("is refused if another customer has it, and nothing changes", async () => {
    const [order, other] = [await active(backend), await active(backend)]
    const change = backend.operator.changeEmail({ customerId: order.customerId, to: other.email, at: AT })
    await expect(change).rejects.toMatchObject({ kind: "refused" })
    expect(await backend.billing.customerOf(order.email)).toMatchObject({ id: order.customerId })
  })

  test("may differ from the former one by its case alone", async () => {
    const order = await active(backend)
    const to = order.email.toUpperCase()
    expect(await backend.operator.changeEmail({ customerId: order.customerId, to, at: AT })).toBe(true)
    expect(await backend.billing.customerOf(order.email)).toMatchObject({ id: order.customerId, email: to })
  })

  test("of an unknown customer changes nothing", async () => {
    const change = { customerId: "nobody", to: "new@example.test", at: AT }
    expect(await backend.operator.changeEmail(change)).toBe(false)
  })
})
