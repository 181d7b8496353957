import { expect, test } from "vitest"
import { anOrder } from "../../tests/fixtures/offer"
import { choicesOf, choicesOn, codeOn, emptyChoices, isComplete } from "./choices"
import { isErrorKind, statusOf } from "./error-kind"
import { gatewayIds, isGatewayId } from "./gateway-id"
import { money } from "./money"

const complete = { ...emptyChoices, plan: "3", email: "ana@example.test", gateway: "offshore" as const }

test("a choice can be ordered when plan, e-mail and gateway are known; code and extras are free", () => {
  expect(isComplete(complete)).toBe(true)
  expect(isComplete(emptyChoices)).toBe(false)
})

test("nothing is chosen, and nothing extra charged for, until the visitor says so", () => {
  expect(emptyChoices).toEqual({
    kind: "plan",
    plan: null,
    extraConnection: false,
    proxyProtection: false,
    promoCode: null,
    email: null,
    gateway: null,
    coin: null,
  })
})

test.each(["plan", "email", "gateway"])("a choice without %s cannot be ordered yet", (field) => {
  expect(isComplete({ ...complete, [field]: null })).toBe(false)
})

test("only the payment modules we have are gateways", () => {
  expect([...gatewayIds, "paypal", "constructor", "", undefined].filter(isGatewayId)).toEqual([...gatewayIds])
})

test("every problem answers with an error status, and nothing else is a problem", () => {
  for (const status of Object.values(statusOf)) expect(status).toBeGreaterThanOrEqual(400)
  expect(["not-found", "toString", "__proto__", 404, null, ["not-found"]].filter(isErrorKind)).toEqual([
    "not-found",
  ])
})

test("what an order was made of can be chosen again, but for its e-mail", () => {
  expect(choicesOf(anOrder())).toEqual({
    ...{
      kind: "plan",
      plan: "3",
      extraConnection: true,
      proxyProtection: false,
      promoCode: "WELCOME10",
      gateway: "offshore",
      coin: null,
    },
  })
})

test("a reseller plan with proxy protection is chosen again among the reseller plans", () => {
  const lines = [
    { kind: "proxyProtection", optionId: "4", choiceId: "6", name: "Proxy", amount: money(990, "EUR") },
    { kind: "plan", productId: "12", name: "Starter", amount: money(7_900, "EUR") },
  ] as const
  expect(choicesOf(anOrder({ kind: "reseller", lines }))).toMatchObject({
    kind: "reseller",
    plan: "12",
    extraConnection: false,
    proxyProtection: true,
    promoCode: null,
  })
})

test("an order without a plan of its own leaves the plan to be chosen", () => {
  expect(choicesOf(anOrder({ kind: "upsell", lines: [] }))).toMatchObject({
    kind: "plan",
    plan: null,
    promoCode: null,
  })
})

test("a code counts on the price list where it was typed, and e-mail and gateway on both", () => {
  const chosen = { ...complete, promoCode: "WELCOME10", extraConnection: true, coin: "BTC/LN" }
  expect(codeOn("plan", chosen)).toBe("WELCOME10")
  expect(codeOn("reseller", chosen)).toBeNull()
  expect(choicesOn("plan", chosen)).toBe(chosen)
  expect(choicesOn("reseller", chosen)).toEqual({
    ...emptyChoices,
    kind: "reseller",
    email: "ana@example.test",
    gateway: "offshore",
    coin: "BTC/LN",
  })
})
