import { expect, test } from "vitest"
import { anOrder } from "../../tests/fixtures/offer"
import { choicesOf, emptyChoices, isComplete } from "./choices"
import { isProblem, statusOf } from "./error-kind"
import { gatewayIds, isGatewayId } from "./gateway-id"

const complete = { ...emptyChoices, plan: "3", email: "ana@example.test", gateway: "offshore" as const }

test("a choice can be ordered when plan, e-mail and gateway are known; code and extras are free", () => {
  expect(isComplete(complete)).toBe(true)
  expect(isComplete(emptyChoices)).toBe(false)
})

test.each(["plan", "email", "gateway"])("a choice without %s cannot be ordered yet", (field) => {
  expect(isComplete({ ...complete, [field]: null })).toBe(false)
})

test("only the payment modules we have are gateways", () => {
  expect([...gatewayIds, "paypal", "constructor", "", undefined].filter(isGatewayId)).toEqual([...gatewayIds])
})

test("every problem answers with an error status, and nothing else is a problem", () => {
  for (const status of Object.values(statusOf)) expect(status).toBeGreaterThanOrEqual(400)
  expect(["not-found", "toString", "__proto__", 404, null].filter(isProblem)).toEqual(["not-found"])
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
