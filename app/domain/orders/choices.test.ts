import { expect, test } from "vitest"
import { anOrder } from "../../../tests/fixtures/offer"
import { isErrorKind, statusOf } from "../error-kind"
import { money } from "../money/money"
import { gatewayIds, isGatewayId } from "../payments/gateway-id"
import { choicesOf, choicesOn, codeOn, emptyChoices, isComplete } from "./choices"

const complete = { ...emptyChoices, plan: "3", email: "ana@example.test", gateway: "offshore" as const }

test("choices are complete with plan, e-mail and gateway; promo code and extras are optional", () => {
  expect(isComplete(complete)).toBe(true)
  expect(isComplete(emptyChoices)).toBe(false)
})

test("empty choices select no plan and no extras", () => {
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

test.each(["plan", "email", "gateway"])("choices without %s are incomplete", (field) => {
  expect(isComplete({ ...complete, [field]: null })).toBe(false)
})

test("only known payment modules are gateway ids", () => {
  expect([...gatewayIds, "paypal", "constructor", "", undefined].filter(isGatewayId)).toEqual([...gatewayIds])
})

test("every error kind has an error status, and no other value is an error kind", () => {
  for (const status of Object.values(statusOf)) expect(status).toBeGreaterThanOrEqual(400)
  expect(["not-found", "toString", "__proto__", 404, null, ["not-found"]].filter(isErrorKind)).toEqual([
    "not-found",
  ])
})

test("restores the choices of an order without its e-mail", () => {
  expect(choicesOf(anOrder())).toEqual({
    kind: "plan",
    plan: "3",
    extraConnection: true,
    proxyProtection: false,
    promoCode: "WELCOME10",
    gateway: "offshore",
    coin: null,
  })
})

test("restores a reseller plan with proxy protection as a reseller choice", () => {
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

test("an order without a plan restores no plan", () => {
  expect(choicesOf(anOrder({ kind: "upsell", lines: [] }))).toMatchObject({
    kind: "plan",
    plan: null,
    promoCode: null,
  })
})

test("a promo code applies to the catalogue it was entered for, e-mail and gateway to both", () => {
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
