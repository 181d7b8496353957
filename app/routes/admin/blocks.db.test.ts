import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { emailShownTo } from "~/domain/operators/operator"
import { placeOrder } from "~/flows/checkout/place-order.server"
import { tieToDevice } from "~/flows/services/change-service.server"
import { actOnPage, type ConsoleVisitor, enrolled } from "../../../tests/fixtures/console"
import { buyPlan, request } from "../../../tests/fixtures/purchase"
import { openShopOn, type ShopOnEngine } from "../../../tests/fixtures/shop-on-engine"
import { engines } from "../../../tests/fixtures/temporary-database"
import type { TestShop } from "../../../tests/fixtures/test-shop"

const PATH = "/admin/blocks"

describe.each(engines)("blocks in the console on %s", (engine) => {
  let opened: ShopOnEngine
  let shop: TestShop
  let support: ConsoleVisitor
  beforeEach(async () => {
    opened = await openShopOn(engine)
    shop = opened.shop
    support = await enrolled(shop, "support")
  })
  afterEach(() => opened.close())

  const page = async (query = "", who = support) => (await who.request({ path: `${PATH}${query}` })).text()
  const act = (form: Record<string, string>) =>
    actOnPage(support, PATH, { form: { reason: "chargebacks", ...form } })
  const rows = (text: string) => (text.match(/<tr>/g)?.length ?? 1) - 1

  test("support blocks a customer, whose next order is held, and removes the block; both are in the audit log", async () => {
    const { email, customerId } = await buyPlan(shop)
    const answer = await act({ action: "add-block", value: ` ${email.toUpperCase()} ` })
    expect([answer.status, answer.headers.get("location")]).toEqual([303, `/checkout${PATH}?done=add-block`])
    const listed = await page()
    expect(listed).toContain(`href="/checkout/admin/customers/${customerId}"`)
    expect(listed).toContain('<td class="breaks">chargebacks</td>')
    // In the table, and in the list of blocks to remove.
    expect(listed.split(email).length - 1).toBe(2)
    expect(listed).not.toContain(`>${customerId}<`)
    const viewer = await enrolled(shop, "viewer")
    expect(await page("", viewer)).toContain(emailShownTo("viewer", email))
    const sought = (text: string, who = support) => page(`?value=${encodeURIComponent(text)}`, who)
    expect([rows(await sought(email)), rows(await sought(email, viewer))]).toEqual([1, 1])
    expect(rows(await sought("nobody@example.test"))).toBe(0)
    const order = async (key: string) => {
      const placed = await placeOrder(shop.services, { ...request(), key })
      return placed.kind === "placed" ? placed.order.status : placed.kind
    }
    expect(await order("held")).toBe("fraud")
    await act({ action: "remove-block", value: `customer ${customerId}`, reason: "a mistake" })
    expect(rows(await page())).toBe(0)
    expect(await order("free")).not.toBe("fraud")
    const entries = await shop.billing.auditLog.newest({ limit: 9, subject: `customer ${customerId}` })
    const done = entries.filter(({ outcome }) => outcome === "done")
    expect(done.map(({ action, reason }) => [action, reason])).toEqual([
      ["remove-block", "a mistake"],
      ["add-block", "chargebacks"],
    ])
  })

  test("support blocks a device: its customer's next order is held, and it is registered for no service until the block is removed", async () => {
    const { serviceId } = await buyPlan(shop)
    const service = async () => {
      const found = await shop.services.billing.service(serviceId)
      if (!found) throw new Error("no service")
      return found
    }
    const order = async (key: string) => {
      const placed = await placeOrder(shop.services, { ...request(), key })
      return placed.kind === "placed" ? placed.order.status : placed.kind
    }
    expect(await tieToDevice(shop.services, await service(), "00:1A:79:12:34:56")).toBe("done")
    expect((await act({ action: "add-block", value: "001a79123456" })).status).toBe(303)
    expect(await page("?kind=device")).toContain("00:1A:79:12:34:56")
    expect(await order("held")).toBe("fraud")
    expect(await tieToDevice(shop.services, await service(), "00:1A:79:12:34:56")).toBe("blocked")
    expect(await tieToDevice(shop.services, await service(), "00:1A:79:65:43:21")).toBe("done")
    expect(await order("other device")).not.toBe("fraud")
    await act({ action: "remove-block", value: "device 00:1A:79:12:34:56", reason: "sold on" })
    expect(await tieToDevice(shop.services, await service(), "00:1A:79:12:34:56")).toBe("done")
  })

  test("says that nothing is blocked, and only of a search that nothing matches", async () => {
    expect(await page()).toContain("Nothing is blocked.")
    expect(await page("?value=203")).toContain("Nothing is blocked that matches.")
  })

  test("lists the newest first, by kind and by how they begin", async () => {
    for (const value of ["192.0.2.77/24", "192.0.2.7", "uk"]) {
      expect((await act({ action: "add-block", value })).status).toBe(303)
      shop.wait(1_000)
    }
    const listed = [...(await page()).matchAll(/<td>([^<]+)<\/td><td>(IP address|Network|Country)</g)]
    expect(listed.map(([, value, kind]) => [value, kind])).toEqual([
      ["GB", "Country"],
      ["192.0.2.7", "IP address"],
      ["192.0.2.0/24", "Network"],
    ])
    expect(rows(await page("?kind=network"))).toBe(1)
    expect(rows(await page("?value=192"))).toBe(2)
    expect(rows(await page("?kind=country&value=192"))).toBe(0)
  })

  test.each([
    ["what is nothing that can be blocked", { action: "add-block", value: "Atlantis" }, "Type an IP address"],
    [
      "an unknown customer",
      { action: "add-block", value: "bob@example.test" },
      "no customer with this email",
    ],
    ["without a reason", { action: "add-block", value: "DE", reason: " " }, "Write down why."],
    [
      "to remove what is not blocked",
      { action: "remove-block", value: "country FR" },
      "not blocked any more",
    ],
  ])("refuses %s, keeps what was typed and changes nothing", async (_, form, said) => {
    await act({ action: "add-block", value: "NL" })
    const key = /name="key" value="([^"]+)"/.exec(await page())?.[1] ?? ""
    const answer = await support.request({ path: PATH, form: { key, reason: "asked", ...form } })
    const text = await answer.text()
    expect([answer.status, text]).toEqual([422, expect.stringContaining(said)])
    if (form.action === "add-block") expect(text).toContain(`value="${form.value}"`)
    expect((await shop.billing.operator.blocks()).map(({ value }) => value)).toEqual(["NL"])
  })

  test("a viewer sees the blocks without their forms, and cannot block by a form of another", async () => {
    await act({ action: "add-block", value: "DE" })
    const viewer = await enrolled(shop, "viewer")
    const shown = await page("", viewer)
    expect([rows(shown), shown.includes('name="action"')]).toEqual([1, false])
  })
})
