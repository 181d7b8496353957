import { afterEach, beforeEach, describe, expect, test } from "vitest"
import type { Billing } from "~/billing/billing"
import { DAY, MINUTE } from "~/domain/calendar"
import { EMAIL_CODE_PERIOD, EMAIL_UNDO_PERIOD } from "~/domain/customers/email-change"
import { CODE_TRIES } from "~/domain/customers/sign-in-request"
import { money } from "~/domain/money/money"
import type { Order } from "~/domain/orders/order"
import { renewalLine, renewalQuote } from "~/domain/services/renewal"
import {
  active,
  NOON,
  newOrderInput,
  opened,
  paymentUpdate,
  placed,
  together,
  unique,
} from "../../../../tests/contracts/billing/billing-fixtures"
import {
  type MailingDatabase,
  openMailingDatabase,
  usualMail,
} from "../../../../tests/fixtures/mailing-database"
import { engines } from "../../../../tests/fixtures/temporary-database"
import { termPolicy } from "../../../../tests/fixtures/term-policy"
import { createEmbeddedBilling } from "../open-embedded-billing.server"

const AT = NOON + MINUTE
const NEW = "Anna@example.test"

describe.each(engines)("a change of e-mail by the customer on %s", (engine) => {
  let database: MailingDatabase
  let backend: ReturnType<MailingDatabase["billingWith"]>
  let order: Order
  beforeEach(async () => {
    database = await openMailingDatabase(engine)
    backend = database.billingWith(usualMail)
    order = await active(backend)
  })
  afterEach(() => database.close())

  const changes = () => {
    if (!backend.emailChanges) throw new Error("No port")
    return backend.emailChanges
  }
  async function ask(email = NEW, { of = order, at = NOON } = {}): Promise<string> {
    const id = unique()
    await changes().create({ id, customerId: of.customerId, email, locale: "de-de", at })
    return id
  }
  const confirm = (id: string, at = AT, customerId = order.customerId) =>
    changes().confirm(id, { customerId, since: at - EMAIL_CODE_PERIOD, at })
  const emailOf = async (it = order) =>
    (
      await database.db
        .selectFrom("clients")
        .select("email")
        .where("id", "=", it.customerId)
        .executeTakeFirstOrThrow()
    ).email
  const session = (asOf: number) => ({
    id: "another browser",
    asOf,
    customer: { id: order.customerId, reach: "account" as const },
    orderId: null,
    serviceIds: [],
  })
  async function customerTyping(email: string) {
    const visitor = { email, locale: "en-en", currency: "EUR", country: "MA", address: null, at: AT } as const
    return (await backend.billing.identify(visitor)).customerId
  }
  const mailed = (name: "address-code" | "address-requested" | "address-changed") =>
    database.db
      .selectFrom("mails")
      .select(["email", "request_id", "detail"])
      .where("name", "=", name)
      .orderBy("once_key")
      .execute()

  test("changes nothing until it is confirmed, and tells both addresses", async () => {
    const id = await ask()
    expect(await emailOf()).toBe(order.email)
    expect(await backend.sessions.isEnded(session(NOON - 1))).toBe(false)
    expect(await mailed("address-code")).toEqual([{ email: NEW, request_id: id, detail: null }])
    expect(await mailed("address-requested")).toEqual([{ email: order.email, request_id: id, detail: NEW }])
  })

  test("keeps what the customer has; ends sessions, sign-in requests and a sign-up password", async () => {
    await database.db
      .updateTable("clients")
      .set({ password_hash: "hash", password_scope: "sign-up", password_id: "p1" })
      .where("id", "=", order.customerId)
      .execute()
    const request = { id: unique(), locale: "en-en", sessionId: "s", at: NOON } as const
    await backend.signInRequests.create({ ...request, email: order.email })
    const id = await ask()
    expect(await confirm(id)).toMatchObject({ id, newEmail: NEW, formerEmail: order.email })
    expect(await emailOf()).toBe(NEW)
    expect(await backend.billing.customerOf(order.email)).toBeNull()
    expect(await backend.billing.customerOf(NEW)).toMatchObject({ id: order.customerId })
    expect(await backend.billing.servicesOf({ id: order.customerId, reach: "account" })).toHaveLength(1)
    expect(await backend.billing.order(order.id)).toMatchObject({ emailProven: true })
    expect(await backend.sessions.isEnded(session(AT - 1))).toBe(true)
    expect(await backend.sessions.isEnded(session(AT))).toBe(false)
    expect(await backend.signInRequests.find(request.id, { sessionId: "", since: 0, at: AT })).toBeNull()
    const client = database.db.selectFrom("clients").select(["password_hash", "password_scope"])
    expect(await client.where("id", "=", order.customerId).execute()).toEqual([
      { password_hash: null, password_scope: null },
    ])
    expect(await mailed("address-changed")).toEqual([
      { email: order.email, request_id: id, detail: NEW },
      { email: NEW, request_id: null, detail: NEW },
    ])
  })

  test("keeps the password of the account, and who has unsubscribed from reminders stays so", async () => {
    const password = { password_hash: "hash", password_scope: "account" } as const
    await database.db.updateTable("clients").set(password).where("id", "=", order.customerId).execute()
    await backend.mails.suppress({ email: order.email, scope: "reminder", reason: "unsubscribed", at: NOON })
    await confirm(await ask())
    expect(await changes().hasPassword(order.customerId)).toBe(true)
    expect(await backend.mails.suppressionsOf("anna@example.test")).toMatchObject([{ scope: "reminder" }])
  })

  test("is confirmed once, also by concurrent calls, and not again", async () => {
    const id = await ask()
    const confirmed = await together(4, () => confirm(id))
    expect(confirmed.filter((it) => it !== null)).toHaveLength(1)
    expect(await confirm(id)).toBeNull()
    expect(await mailed("address-changed")).toHaveLength(2)
  })

  test("is nobody else's to confirm", async () => {
    const other = await active(backend)
    const id = await ask()
    expect(await confirm(id, AT, other.customerId)).toBeNull()
    expect([await emailOf(), await emailOf(other)]).toEqual([order.email, other.email])
  })

  test("expires with its code", async () => {
    const id = await ask()
    expect(await confirm(id, NOON + EMAIL_CODE_PERIOD)).toBeNull()
    expect(await confirm(id, NOON + EMAIL_CODE_PERIOD - 1)).not.toBeNull()
  })

  test("is replaced by a newer one of the customer", async () => {
    const older = await ask("older@example.test")
    const newer = await ask()
    expect(await confirm(older)).toBeNull()
    expect(await changes().openOf(order.customerId, 0)).toMatchObject({ id: newer, newEmail: NEW })
    expect(await confirm(newer)).not.toBeNull()
  })

  test("has five tries of its code, also concurrent ones", async () => {
    const id = await ask()
    const tried = await together(12, () => changes().countCodeTry(order.customerId, 0))
    expect(tried.filter((it) => it?.id === id)).toHaveLength(CODE_TRIES)
    await changes().end(id, AT)
    expect(await confirm(id)).toBeNull()
  })

  test("of an address that has become another customer's meanwhile changes nothing, and ends", async () => {
    const other = await placed(backend)
    await pay(other)
    const id = await ask(other.email.toUpperCase())
    expect(await changes().isAvailable(other.email, order.customerId)).toBe(false)
    expect(await confirm(id)).toBeNull()
    expect(await changes().openOf(order.customerId, 0)).toBeNull()
    expect([await emailOf(), await emailOf(other)]).toEqual([order.email, other.email])
  })

  const prove = (customerId: string) =>
    database.db.updateTable("clients").set({ email_proven_at: NOON }).where("id", "=", customerId).execute()
  const pay = async (of: Order) => {
    const update = paymentUpdate(await opened(backend, of), "paid", 2_000)
    return backend.payments.recordPaymentUpdate("offshore", update, AT + 1)
  }
  const accountOf = async (email: string) => {
    const customer = await backend.billing.customerOf(email)
    if (!customer) throw new Error(`No customer ${email}`)
    return { id: customer.id, reach: "account" } as const
  }

  test("gets an address under which somebody has only ordered, and what is paid of it later is in the account", async () => {
    const typed = await placed(backend)
    expect(await changes().isAvailable(typed.email, order.customerId)).toBe(true)
    await confirm(await ask(typed.email))
    expect(await backend.billing.customerOf(typed.email)).toMatchObject({ id: order.customerId })
    expect(await backend.billing.order(typed.id)).toMatchObject({ email: typed.email, status: typed.status })
    await pay(typed)
    const services = await backend.billing.servicesOf(await accountOf(typed.email))
    expect(services.map(({ orderId }) => orderId)).toContain(typed.id)
    const { payments } = (await backend.operator.customer(order.customerId)) ?? {}
    expect(payments).toMatchObject([{ orderId: typed.id }])
    expect(await backend.operator.findImbalances()).toEqual([])
  })

  test.each([false, true])(
    "gets two services that one renewal has extended, unless one of them is of a sign-up: %s",
    async (isOfSignUp) => {
      const { billing } = createEmbeddedBilling({ db: database.db, newId: database.newId, terms: termPolicy })
      const withTerms = { ...backend, billing }
      const scope = { accessScope: { reach: "sign-up", passwordId: "p1" } } as const
      const first = await active(withTerms)
      const { customerId } = first
      const second = await active(withTerms, { customerId, ...(isOfSignUp && scope) })
      const renewal = await renewed(billing, [first, second])
      await confirm(await ask(first.email))
      const orders = [first, second, renewal]
      const owners = await Promise.all(orders.map(async ({ id }) => (await billing.order(id))?.customerId))
      expect(owners).toEqual(orders.map(() => (isOfSignUp ? customerId : order.customerId)))
    },
  )

  /** One renewal of the services that orders have created. */
  async function renewed(billing: Billing, orders: readonly Order[]): Promise<Order> {
    const services = await Promise.all(orders.map(({ serviceId }) => billing.service(serviceId)))
    const items = orders.map(({ serviceId }) => ({ serviceId, cycles: 1, amount: money(2_000, "EUR") }))
    const lines = services.flatMap((it, index) => {
      const item = items[index]
      return it && item ? [renewalLine({ ...it, cycle: "monthly" }, item)] : []
    })
    const order = await newOrderInput(billing, { customerId: orders[0]?.customerId ?? "" })
    return billing.placeRenewal({ ...order, items, quote: renewalQuote(lines) })
  }

  test("and what is still to be sent about such an order goes to who has the address", async () => {
    const reminding = database.billingWith({ ...usualMail, reminders: true })
    const typed = await placed(reminding)
    await confirm(await ask(typed.email))
    const waiting = database.db
      .selectFrom("mails")
      .select(["name", "client_id"])
      .where("order_id", "=", typed.id)
    expect(await waiting.execute()).toEqual([{ name: "order-unpaid", client_id: order.customerId }])
  })

  test("leaves who has ordered under the address after a sign-up with an order of that sign-up", async () => {
    const typed = await placed(backend, { accessScope: { reach: "sign-up", passwordId: "p1" } })
    await confirm(await ask(typed.email))
    expect(await backend.billing.order(typed.id)).toMatchObject({ customerId: typed.customerId })
  })

  test("and a payment under the address at the same moment: who has the address has what was paid", async () => {
    const typed = await placed(backend)
    const id = await ask(typed.email)
    await Promise.all([confirm(id), pay(typed)])
    const services = await backend.billing.servicesOf(await accountOf(typed.email))
    expect(services.map(({ orderId }) => orderId)).toContain(typed.id)
    expect(await backend.operator.findImbalances()).toEqual([])
  })

  test("and two customers who want one address at once: one of them gets it", async () => {
    const other = await active(backend)
    const ids = [await ask(), await ask(NEW, { of: other })] as const
    const confirmed = await Promise.all([confirm(ids[0]), confirm(ids[1], AT, other.customerId)])
    expect(confirmed.filter((it) => it !== null)).toHaveLength(1)
  })

  test("and an order under the address at the same moment: the address has one customer", async () => {
    const id = await ask()
    const typing = Array.from({ length: 4 }, () => customerTyping(NEW))
    const [confirmed] = await Promise.all([confirm(id), ...typing])
    expect(confirmed).not.toBeNull()
    expect(await backend.billing.customerOf(NEW)).toMatchObject({ id: order.customerId })
  })

  test("is stopped from the former address: sessions and the password end, and no code works", async () => {
    await backend.billing.setPassword(
      { id: order.customerId, reach: "account" },
      "a long password",
      () => NOON,
    )
    const id = await ask()
    expect(await changes().revert(id, AT)).toBe("reverted")
    expect(await changes().revert(id, AT + DAY)).toBe("reverted")
    expect(await confirm(id)).toBeNull()
    expect(await emailOf()).toBe(order.email)
    expect(await changes().hasPassword(order.customerId)).toBe(false)
    expect(await backend.sessions.isEnded(session(AT - 1))).toBe(true)
    expect(await mailed("address-changed")).toEqual([])
  })

  test.each([
    ["a millisecond before seven days", EMAIL_UNDO_PERIOD - 1, "reverted"],
    ["at seven days", EMAIL_UNDO_PERIOD, "over"],
  ])("is undone from the former address: %s", async (_, after, result) => {
    await database.db
      .updateTable("clients")
      .set({ password_hash: "hash", password_scope: "account" })
      .where("id", "=", order.customerId)
      .execute()
    const id = await ask()
    await confirm(id)
    expect(await changes().revert(id, AT + after)).toBe(result)
    const isUndone = result === "reverted"
    expect(await emailOf()).toBe(isUndone ? order.email : NEW)
    expect(await changes().hasPassword(order.customerId)).toBe(!isUndone)
    expect(await backend.sessions.isEnded(session(AT + 1))).toBe(isUndone)
    expect(await mailed("address-changed")).toHaveLength(isUndone ? 4 : 2)
  })

  test("stopped and confirmed at once, it ends with the former address", async () => {
    const id = await ask()
    const [, stopped] = await Promise.all([confirm(id), changes().revert(id, AT)])
    expect(stopped).toBe("reverted")
    expect(await emailOf()).toBe(order.email)
    expect(await backend.billing.customerOf(NEW)).toBeNull()
  })

  test("undone after another one has followed, no link of the later one brings its addresses back", async () => {
    const first = await ask("eve@example.test")
    await confirm(first)
    const second = await ask("eve2@example.test", { at: AT + MINUTE })
    await confirm(second, AT + 2 * MINUTE)
    expect(await changes().revert(first, AT + DAY)).toBe("reverted")
    expect(await changes().revert(second, AT + DAY)).toBe("over")
    expect(await emailOf()).toBe(order.email)
  })

  test("cannot be kept from being undone by an order under the former address, but by a purchase", async () => {
    const id = await ask()
    await confirm(id)
    const typed = await placed(backend, { customerId: await customerTyping(order.email) })
    expect(typed.customerId).not.toBe(order.customerId)
    expect(await changes().revert(id, AT + DAY)).toBe("reverted")
    expect(await emailOf()).toBe(order.email)

    const again = await ask(NEW, { at: AT + 2 * DAY })
    await confirm(again, AT + 2 * DAY)
    await pay(await placed(backend, { customerId: await customerTyping(order.email) }))
    expect(await changes().revert(again, AT + 3 * DAY)).toBe("taken")
    expect(await emailOf()).toBe(NEW)
  })

  test("cannot be kept from being undone by an order that costs nothing, such as a free trial", async () => {
    const id = await ask()
    await confirm(id)
    const free = await active(backend, { customerId: await customerTyping(order.email) })
    expect(await changes().revert(id, AT + DAY)).toBe("reverted")
    expect(await emailOf()).toBe(order.email)
    const services = await backend.billing.servicesOf(await accountOf(order.email))
    expect(services.map(({ orderId }) => orderId)).toContain(free.id)
  })

  test("does not take an address from who has proven it and has something that costs nothing", async () => {
    const other = await active(backend)
    await prove(other.customerId)
    expect(await changes().isAvailable(other.email, order.customerId)).toBe(false)
    expect(await confirm(await ask(other.email))).toBeNull()
    expect(await emailOf(other)).toBe(other.email)
  })

  const credit = { key: "grant", amount: money(500, "EUR"), reason: "goodwill", at: NOON } as const
  test.each([
    [
      "has paid a part of an order",
      async (other: Order) => {
        const part = paymentUpdate(await opened(backend, other), "partially-paid", 500)
        await backend.payments.recordPaymentUpdate("offshore", part, NOON)
      },
    ],
    [
      "has account credit",
      ({ customerId }: Order) => backend.operator.grantAccountCredit(customerId, credit),
    ],
  ])("does not take an address from who %s", async (_, happens) => {
    const other = await placed(backend)
    await happens(other)
    expect(await changes().isAvailable(other.email, order.customerId)).toBe(false)
    expect(await confirm(await ask(other.email))).toBeNull()
    expect(await emailOf(other)).toBe(other.email)
  })

  test("ends with a change by the operator, which its link does not undo", async () => {
    const id = await ask()
    await confirm(id)
    await backend.operator.changeEmail({
      customerId: order.customerId,
      to: "third@example.test",
      at: AT + MINUTE,
    })
    expect(await changes().revert(id, AT + DAY)).toBe("over")
    expect(await emailOf()).toBe("third@example.test")
  })

  test("of an unknown customer or id is none", async () => {
    await changes().create({ id: "e1", customerId: "nobody", email: NEW, locale: "en-en", at: NOON })
    expect(await changes().find("e1")).toBeNull()
    expect(await changes().revert("e1", AT)).toBe("over")
    expect(await changes().hasPassword("nobody")).toBe(false)
  })

  test("is deleted with its retention, and with the customer's data", async () => {
    await ask()
    expect(await changes().deleteChanges(NOON)).toBe(0)
    await backend.operator.eraseCustomer([order.customerId], { force: true })
    expect(await changes().openOf(order.customerId, 0)).toBeNull()
    const other = await active(backend)
    await ask(NEW, { of: other })
    expect(await changes().deleteChanges(NOON + 1)).toBe(1)
  })
})
