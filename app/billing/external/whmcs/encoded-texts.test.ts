import { afterEach, describe, expect, test } from "vitest"
import { demoCatalogue } from "../../../../tests/fakes/whmcs-simulator/catalogue"
import {
  credentials,
  paidAt,
  visitor,
  type WhmcsShop,
  whmcsShop,
} from "../../../../tests/fixtures/whmcs-shop"

const { products, promotions } = demoCatalogue()
const TITLE = `Sport & "more" <live>`
const CODE = "R&B'10"
const titled = products.map((product) => ({
  ...product,
  name: TITLE,
  options: product.options.map((option) => ({ ...option, name: TITLE })),
}))
const catalogue = { products: titled, promotions: promotions.map((it) => ({ ...it, code: CODE })) }
const fieldNames = ["User & name", "Password", "MAC Address"]
const fields = { username: "User & name", password: "Password", mac: "MAC Address" }

describe.each(["encoded", "plain"] as const)("an installation that returns %s texts", (texts) => {
  let shop: WhmcsShop
  const open = async () => {
    shop = await whmcsShop({ texts, catalogue, fieldNames }, { fields })
    return shop
  }
  afterEach(() => shop.whmcs.close())

  test("plans have the names that the operator entered", async () => {
    const [plan] = await (await open()).office.plans()
    expect(plan).toMatchObject({ name: TITLE, options: [{ name: TITLE }, { name: TITLE }] })
    expect(plan?.customFields.map(({ name }) => name)).toContain("User & name")
  })

  test("identify finds a returning client with an apostrophe in the email", async () => {
    const { office } = await open()
    const brien = { ...visitor, email: "o'brien@example.test" }
    const { isNew, ...first } = await office.identify(brien)
    expect(isNew).toBe(true)
    expect(await office.identify({ ...brien, email: "O'Brien@example.test" })).toEqual(first)
    expect(await office.customerOf(brien.email)).toMatchObject({ email: "o'brien@example.test" })
  })

  test("promotion matches a code with special characters, and AddOrder receives it unencoded", async () => {
    const { office, whmcs } = await open()
    const found = await office.promotion("r&b'10")
    expect(found).toMatchObject({ code: CODE })
    const discount = { code: CODE, discount: { kind: "percentage", basisPoints: 1_000 } } as const
    await paidAt(shop, { discount })
    expect(whmcs.orders).toMatchObject([{ promotion: { code: CODE } }])
    expect(whmcs.calls.find(({ action }) => action === "AddOrder")?.params).toMatchObject({ promocode: CODE })
  })

  test("provision writes and returns a password with special characters unchanged", async () => {
    const paid = await paidAt(await open())
    expect(await shop.office.provision(paid)).toMatchObject(credentials)
    expect(shop.whmcs.lines).toMatchObject([credentials])
  })

  test("setNotes changes the customer's notes and preserves the staff notes", async () => {
    const paid = await paidAt(await open())
    await shop.office.provision(paid)
    const [service] = shop.whmcs.services
    if (!service) throw new Error("Service not found")
    service.notes = `Ana & Co, "VIP"`
    for (const notes of ["Mum's TV & <hall>", "Dad's"]) await shop.office.setNotes(paid, notes)
    expect(service.notes).toBe(`Ana & Co, "VIP"\n— customer —\nDad's`)
    expect(await shop.office.service(paid)).toMatchObject({ notes: "Dad's" })
  })
})
