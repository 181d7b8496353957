import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { TaxFile } from "~/domain/tax/tax-file"
import { type ConsoleVisitor, enrolled, formSent } from "../../../tests/fixtures/console"
import { openTestShop, type TestShop } from "../../../tests/fixtures/test-shop"
import type { Fields } from "../../../tests/support/html/html-form"

let shop: TestShop
let owner: ConsoleVisitor
let other: ConsoleVisitor
beforeEach(async () => {
  shop = await openTestShop({ taxFile: TaxFile.parse({ country: "DE" }) })
  owner = await enrolled(shop, "owner")
  other = await enrolled(shop, "owner", "jonas@shop.test")
})
afterEach(() => shop.billing.close())

type Row = {
  readonly kind: "brand" | "tax" | "catalogue"
  readonly path: string
  readonly action: string
  /** What is typed: at first, after the browser's way back, and by somebody else. */
  readonly typed: readonly [Fields, Fields, Fields]
}

const CATALOGUE = "/admin/catalogue"
const option = (name: string): Fields => ({
  name,
  "choice.1": name,
  "price.1.EUR.annually": "5",
  products: true,
})
const product = (pid: string, name: string): Fields => ({ pid, name, "price.EUR.monthly": "9.99" })

const products: Row = {
  kind: "catalogue",
  path: `${CATALOGUE}/products/3`,
  action: "edit-catalogue",
  typed: [{ name: "One" }, { name: "Two" }, { name: "Three" }],
}

const schedule = (day: string): Fields => ({ of: "EUR annually", price: "81.00", from: `${day}T08:00` })

const rows: Readonly<Record<string, Row>> = {
  "a price from a time on": {
    kind: "catalogue",
    path: `${CATALOGUE}/products/3/prices`,
    action: "schedule-price",
    typed: [schedule("2027-03-01"), schedule("2027-04-01"), schedule("2027-05-01")],
  },
  "a part of the brand": {
    kind: "brand",
    path: "/admin/brand/brand",
    action: "edit-brand",
    typed: [{ "brand.name": "One" }, { "brand.name": "Two" }, { "brand.name": "Three" }],
  },
  "the words of a message": {
    kind: "brand",
    path: "/admin/brand/mail-receipt",
    action: "edit-brand",
    typed: [
      { "mail.messages.receipt.en-en.subject": "One" },
      { "mail.messages.receipt.en-en.subject": "Two" },
      { "mail.messages.receipt.en-en.subject": "Three" },
    ],
  },
  "the rules of tax": {
    kind: "tax",
    path: "/admin/tax/rules",
    action: "edit-tax",
    typed: [{ exempt: "US" }, { exempt: "BR" }, { exempt: "MX" }],
  },
  "a product": products,
  "an option": {
    kind: "catalogue",
    path: `${CATALOGUE}/options/2`,
    action: "edit-catalogue",
    typed: [{ name: "One" }, { name: "Two" }, { name: "Three" }],
  },
  "a new product": {
    kind: "catalogue",
    path: `${CATALOGUE}/products?list=plans`,
    action: "edit-catalogue",
    typed: [product("p1", "One"), product("p2", "Two"), product("p3", "Three")],
  },
  "a new option": {
    kind: "catalogue",
    path: `${CATALOGUE}/options`,
    action: "edit-catalogue",
    typed: [option("One"), option("Two"), option("Three")],
  },
}

const versionsOf = (kind: Row["kind"]) => {
  const { brand, tax, catalogue } = shop.billing
  const versions = { brand, tax, catalogue }[kind]
  if (!versions) throw new Error(`The shop has no versions of its ${kind}`)
  return versions
}
const latest = async ({ kind }: Row) => (await versionsOf(kind).versions({ limit: 1 }))[0]?.number ?? 0

const pageOf = async ({ path }: Row, who: ConsoleVisitor) => (await who.request({ path })).text()

/** What the form of a page that was opened once sends, with each of the values that are typed. */
async function opened(row: Row, who = owner) {
  const page = await pageOf(row, who)
  const send = (fields: Fields) =>
    who.request({ path: row.path, form: formSent(page, row.action, { reason: "a sale", ...fields }) })
  const [first, second] = row.typed
  return { first: () => send(first), second: () => send(second) }
}

async function changedByOther(row: Row): Promise<void> {
  const form = formSent(await pageOf(row, other), row.action, { reason: "mine", ...row.typed[2] })
  expect((await other.request({ path: row.path, form })).status).toBe(303)
}

const answered = async (response: Promise<Response>) => {
  const { status, headers } = await response
  return [status, headers.get("location")?.includes("sent-before") ?? false]
}
const done = [303, false]
const sentBefore = [303, true]

describe.each(Object.entries(rows))("the form of %s", (_, row) => {
  test("that is sent again as it was does nothing, and is told so", async () => {
    const form = await opened(row)
    expect(await answered(form.first())).toEqual(done)
    const made = await latest(row)
    expect(await answered(form.first())).toEqual(sentBefore)
    expect(await latest(row)).toBe(made)
  })

  test("that is sent again with other values changes what it had made", async () => {
    const form = await opened(row)
    await form.first()
    const made = await latest(row)
    expect(await answered(form.second())).toEqual(done)
    expect(await latest(row)).toBe(made + 1)
    expect(await answered(form.second())).toEqual(sentBefore)
    expect(await latest(row)).toBe(made + 1)
  })

  test("that is sent again as it was after another change does nothing, and is told so", async () => {
    const form = await opened(row)
    await form.first()
    await changedByOther(row)
    const made = await latest(row)
    expect(await answered(form.first())).toEqual(sentBefore)
    expect(await latest(row)).toBe(made)
  })

  test("that is sent again with other values after another change is shown with them, and can be sent then", async () => {
    const form = await opened(row)
    await form.first()
    await changedByOther(row)
    const made = await latest(row)
    const refused = await form.second()
    const page = await refused.text()
    expect([refused.status, page]).toEqual([422, expect.stringMatching(/ha(s|ve) changed since/)])
    expect(await latest(row)).toBe(made)
    const typed = formSent(page, row.action, { reason: "a sale", ...row.typed[1] })
    expect(formSent(page, row.action)).toEqual(typed)
    const sent = await owner.request({ path: row.path, form: formSent(page, row.action) })
    expect(sent.status).toBe(303)
    expect(await latest(row)).toBe(made + 1)
  })
})

test("a form whose values were refused is sent again with others", async () => {
  const form = await opened({ ...products, typed: [{ name: " " }, { name: "Two" }, {}] })
  expect((await form.first()).status).toBe(422)
  expect(await answered(form.second())).toEqual(done)
})

test("one form of the page of tax is sent after another one of the same page", async () => {
  const path = "/admin/tax"
  const made = { author: other.email, reason: "typed", at: shop.services.now(), seenVersion: 0 }
  await shop.billing.tax?.change(TaxFile.parse({ country: "AT" }), made)
  const page = await (await owner.request({ path })).text()
  const send = (action: string) =>
    owner.request({ path, form: formSent(page, action, { reason: "checked" }) })
  expect(await answered(send("confirm-tax"))).toEqual(done)
  expect(shop.services.shop.tax).not.toBeNull()
  expect(await answered(send("confirm-tax"))).toEqual(sentBefore)
  expect(await answered(send("use-tax-file"))).toEqual(done)
  expect(shop.services.shop.tax).toBeNull()
})

test("a product is removed once by a form that is sent twice", async () => {
  const added = await owner.request({
    path: `${CATALOGUE}/products?list=plans`,
    form: formSent(
      await (await owner.request({ path: `${CATALOGUE}/products?list=plans` })).text(),
      "edit-catalogue",
      {
        reason: "new",
        ...product("p1", "One"),
      },
    ),
  })
  expect(added.status).toBe(303)
  const path = `${CATALOGUE}/products/p1`
  const page = await (await owner.request({ path })).text()
  const form = formSent(page, "remove-product", { reason: "a mistake" })
  expect(await answered(owner.request({ path, form }))).toEqual(done)
  expect(await answered(owner.request({ path, form }))).toEqual(sentBefore)
})

test("another picture of the same name and size is saved by the form that has saved the first one", async () => {
  const path = "/admin/brand/logo"
  const page = await (await owner.request({ path })).text()
  const send = (colour: string) => {
    const form = new FormData()
    for (const [name, value] of formSent(page, "edit-brand", { reason: "a logo" })) form.append(name, value)
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path fill="${colour}" d="M0 0h9v9z"/></svg>`
    form.set("file", new File([svg], "logo.svg"))
    return owner.request({ path, form })
  }
  for (const colour of ["#f00", "#00f"]) {
    expect(await answered(send(colour))).toEqual(done)
    expect(await answered(send(colour))).toEqual(sentBefore)
    expect(shop.services.shop.logo?.bytes.toString()).toContain(colour)
  }
})
