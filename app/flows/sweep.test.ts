import { expect, test } from "vitest"
import { DAY, MINUTE } from "~/domain/calendar"
import { buy } from "../../tests/factories/buy"
import { openTestShop } from "../../tests/factories/shop"
import { sweep } from "./sweep.server"

test("who never paid is forgotten after the days the operator has set, and not where he has set none", async () => {
  const shop = await openTestShop()
  const { order } = await buy(shop)
  const keeping = { ...shop.services, shop: { ...shop.services.shop, retention: 30 * DAY } }
  const email = async () => (await shop.books.operator.order(order.id))?.email

  shop.wait(31 * DAY)
  await sweep(shop.services, "this instance")
  expect(await email()).toBe("ana@example.test")
  await sweep(keeping, "this instance")
  expect(await email()).toBe("erased")
  expect(shop.log).toContainEqual(
    expect.objectContaining({ customers: 1, msg: "customers who never bought anything are forgotten" }),
  )
})

test("customers are looked through every quarter of an hour, however many instances sweep", async () => {
  const shop = await openTestShop()
  const keeping = { ...shop.services, shop: { ...shop.services.shop, retention: 30 * DAY } }
  let turns = 0
  const billing = {
    ...shop.services.billing,
    forgetUnpaid: async () => {
      turns += 1
      return 0
    },
  }
  for (let minute = 0; minute < 31; minute++) {
    await sweep({ ...keeping, billing }, "this instance")
    shop.wait(MINUTE)
    await sweep({ ...keeping, billing }, "another")
  }
  expect(turns).toBe(3)
})
