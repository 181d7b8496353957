import { afterEach, expect, test } from "vitest"
import { startWhmcs, type Whmcs } from "./start"
import { callsTo, order } from "./test-client"

let whmcs: Whmcs
afterEach(() => whmcs.close())

async function started() {
  whmcs = await startWhmcs({ now: () => Date.UTC(2026, 5, 15, 12) })
  const { call } = callsTo(whmcs)
  return { call, owed: async () => (await call("GetInvoice", { invoiceid: 1 })).total }
}

test("GetProducts returns prices as texts, -1.00 for cycles not offered, and the configurable options", async () => {
  const { call } = await started()
  const { products } = await call("GetProducts", { pid: "1,3", gid: 1 })
  expect(products.product).toHaveLength(2)
  expect(products.product[0]).toMatchObject({
    pid: 1,
    gid: 1,
    name: "1 month",
    paytype: "recurring",
    pricing: { EUR: { monthly: "12.00", annually: "-1.00", msetupfee: "0.00", prefix: "€" } },
    customfields: { customfield: [{ name: "Username" }, { name: "Password" }] },
    configoptions: {
      configoption: [
        {
          id: 2,
          name: "Extra connection",
          type: "4",
          options: { option: [{ id: 5, name: "Yes", pricing: { EUR: { monthly: "2.50" } } }] },
        },
        { id: 4, name: "Proxy protection", type: "3" },
      ],
    },
  })
})

test("a promotion applies its discount and counts a use; an expired one or one of another plan is ignored", async () => {
  const { call, owed } = await started()
  await order(call, { promocode: "welcome10" })
  expect(await owed()).toBe("10.80")
  await order(call, { clientid: "1", promocode: "SUMMER25" })
  await order(call, { clientid: "1", promocode: "YEAR15" })
  const { orders } = await call("GetOrders")
  expect(orders.order.map(({ promocode, amount }: Record<string, string>) => [promocode, amount])).toEqual([
    ["", "12.00"],
    ["", "12.00"],
    ["WELCOME10", "10.80"],
  ])
  expect(whmcs.promotions.map(({ uses }) => uses)).toEqual([1, 0, 0])
})

test("promotions can be listed by code or all together, and an unknown code is no error", async () => {
  const { call } = await started()
  expect((await call("GetPromotions")).totalresults).toBe(3)
  expect((await call("GetPromotions", { code: "year15" })).promotions.promotion).toMatchObject([
    { code: "YEAR15", type: "Fixed Amount", value: "15.00", appliesto: "3", startdate: "0000-00-00" },
  ])
  expect(await call("GetPromotions", { code: "NOBODY" })).toMatchObject({
    result: "success",
    totalresults: 0,
  })
})
