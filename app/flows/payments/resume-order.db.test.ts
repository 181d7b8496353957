import { expect, test } from "vitest"
import { DAY } from "~/domain/calendar"
import { buy } from "../../../tests/fixtures/purchase"
import { openTestShop, type TestShop } from "../../../tests/fixtures/test-shop"
import { resolveReturnToken, resumeOrder } from "./resume-order.server"

const anonymous = { orderId: null, serviceIds: [], customer: null }

test("a buyer who returns from the gateway in another browser resumes the order", async () => {
  const { shop, order, token } = await atTheGateway()
  expect(await resumeOrder(shop.services, token, anonymous)).toMatchObject({
    kind: "resumed",
    order: { id: order.id },
  })
})

test("a return token works for one browser only", async () => {
  const { shop, token } = await atTheGateway()
  await resumeOrder(shop.services, token, anonymous)
  expect(await resumeOrder(shop.services, token, anonymous)).toEqual({ kind: "used" })
})

test("of ten concurrent browsers one resumes the order", async () => {
  const { shop, token } = await atTheGateway()
  const results = await Promise.all(
    Array.from({ length: 10 }, () => resumeOrder(shop.services, token, anonymous)),
  )
  expect(results.filter(({ kind }) => kind === "resumed")).toHaveLength(1)
})

test("the ordering browser redeems the return token when it returns", async () => {
  const { shop, order, token } = await atTheGateway()
  expect(await resolveReturnToken(shop.services, token, { ...anonymous, orderId: order.id })).toEqual({
    kind: "nothing",
  })
  expect(await resolveReturnToken(shop.services, token, anonymous)).toMatchObject({ kind: "used" })
  expect(await resumeOrder(shop.services, token, anonymous)).toEqual({ kind: "used" })
})

test("the ordering browser resumes its earlier order without confirmation, even with a newer current order", async () => {
  const { shop, order, token } = await atTheGateway()
  const maker = { orderId: "another", serviceIds: [order.serviceId], customer: null }
  expect(await resolveReturnToken(shop.services, token, maker)).toMatchObject({
    kind: "own",
    order: { id: order.id },
  })
})

test("another browser must confirm first, signed in or not, and following the link does not redeem the token", async () => {
  const { shop, order, token } = await atTheGateway()
  const itself = { ...anonymous, customer: { id: order.customerId, reach: "account" as const } }
  const other = { ...anonymous, orderId: "another" }
  for (const holder of [anonymous, other, itself, anonymous]) {
    expect(await resolveReturnToken(shop.services, token, holder)).toMatchObject({
      kind: "other-customer",
      order: { id: order.id },
    })
  }
  expect(await resumeOrder(shop.services, token, anonymous)).toMatchObject({
    kind: "resumed",
    authenticated: false,
  })
})

test("an authenticated customer resumes their order even after another browser redeemed the token", async () => {
  const { shop, order, token } = await atTheGateway()
  await resumeOrder(shop.services, token, anonymous)
  const himself = { ...anonymous, customer: { id: order.customerId, reach: "account" as const } }
  expect(await resumeOrder(shop.services, token, himself)).toMatchObject({
    kind: "resumed",
    authenticated: true,
  })
  const another = { ...anonymous, customer: { id: "another", reach: "account" as const } }
  expect(await resumeOrder(shop.services, token, another)).toEqual({ kind: "used" })
})

test.each([
  ["a malformed token", () => "nonsense"],
  ["a token with another attempt's id", (token: string) => `other.${token.split(".")[1]}`],
  ["a token with another signature", (token: string) => `${token.split(".")[0]}.AAAA`],
])("%s resumes no order", async (_, spoil) => {
  const { shop, token } = await atTheGateway()
  expect(await resumeOrder(shop.services, spoil(token), anonymous)).toEqual({ kind: "nothing" })
  expect((await resumeOrder(shop.services, token, anonymous)).kind).toBe("resumed")
})

test("a return token resumes no order nine days after the order", async () => {
  const { shop, token } = await atTheGateway()
  shop.wait(9 * DAY)
  expect(await resolveReturnToken(shop.services, token, anonymous)).toEqual({ kind: "nothing" })
  expect(await resumeOrder(shop.services, token, anonymous)).toEqual({ kind: "nothing" })
})

async function atTheGateway() {
  const shop = await openTestShop()
  const { order } = await buy(shop)
  return { shop, order, token: tokenIn(shop) }
}

function tokenIn({ gateway }: TestShop): string {
  return new URL(gateway.opened[0]?.returnUrl ?? "").searchParams.get("resume") ?? ""
}
