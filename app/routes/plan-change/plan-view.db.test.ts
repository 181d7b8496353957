import { expect, test } from "vitest"
import { runJobs } from "~/flows/jobs/run-jobs.server"
import { openPayment } from "~/flows/payments/open-payment.server"
import { changePlan, planChoices } from "~/flows/services/change-plan.server"
import { buyPlan, pay } from "../../../tests/fixtures/purchase"
import { openResellerAccount } from "../../../tests/fixtures/reseller-account"
import { respond } from "../../../tests/fixtures/shop-router"
import { choice, openTestShop } from "../../../tests/fixtures/test-shop"

test("a plan that cannot be had before 24 hours are over has no link, and says from when it can", async () => {
  const shop = await openTestShop()
  const { services } = shop
  const choices = { ...choice, plan: "1", extraConnection: false }
  const { serviceId } = await buyPlan(shop, { choices, agreedTotal: 12_00 })
  const find = async () => {
    const service = await services.billing.service(serviceId)
    if (!service) throw new Error("No service")
    return service
  }
  const page = async () => {
    const session = { serviceIds: [serviceId], serviceId, sealedAt: services.now() }
    const response = await respond(services, { path: "/success.data?plan", session })
    return response.text()
  }
  const linkTo = (plan: string) => `?plan=${plan}`
  expect(await page()).toContain(linkTo("3.annually"))

  const at = services.now()
  const { changes = [] } =
    (await planChoices(services, services.catalogue, { service: await find(), at })) ?? {}
  const change = changes.find(({ productId }) => productId === "2")
  if (change?.when !== "now") throw new Error("Plan 2 is not to be had now")
  const { productId, cycle, price, due } = change
  const placement = await changePlan(services, {
    customer: null,
    orderId: null,
    gateway: "offshore",
    locale: "en-en",
    address: null,
    country: "XX",
    browser: null,
    key: "change-1",
    service: await find(),
    shown: { productId, cycle, price: price.minor, at, due: due.minor },
  })
  if (placement.kind !== "placed") throw new Error(placement.reason)
  await openPayment(services, placement.order, { gateway: "offshore", coin: null })
  await pay(shop, placement.order)
  while ((await runJobs(services, "terms")) > 0);

  const waiting = await page()
  expect(waiting).toContain("only every 24 hours")
  expect(waiting).not.toContain(linkTo("3.annually"))
  expect(waiting).not.toContain("Now, for")
  expect(waiting).toContain(linkTo("1.monthly"))
  await shop.billing.close()
})

test("a reseller's line, which keeps the plan of its credit, offers no change of plan", async () => {
  const shop = await openTestShop()
  const dora = await openResellerAccount(shop, "dora@example.test")
  const line = await dora.line("Leo")
  const session = { ...dora.session, serviceId: line.id }
  const page = await (await respond(shop.services, { path: "/success.data", session })).text()
  expect(page).toContain(line.username)
  expect(page).not.toContain("Change plan")
  await shop.billing.close()
})
