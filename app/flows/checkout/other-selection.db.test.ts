import { expect, test } from "vitest"
import { emptyChoices } from "~/domain/orders/choices"
import { buy } from "../../../tests/fixtures/purchase"
import { choice, openTestShop } from "../../../tests/fixtures/test-shop"
import { isOtherSelection } from "./other-selection.server"

test.each([
  ["the same selection", {}, false],
  ["another gateway and code", { gateway: "coinbase", promoCode: "X" }, false],
  ["the same e-mail in capitals", { email: choice.email.toUpperCase() }, false],
  ["another e-mail", { email: "ben@example.test" }, true],
  ["no e-mail, or a mistyped one", { email: null }, false],
  ["another plan", { plan: "1" }, true],
  ["an extra more or less", { extraConnection: !choice.extraConnection }, true],
  ["a reseller plan", { ...emptyChoices, kind: "reseller", plan: "12" }, true],
  ["no plan", { plan: null }, false],
] as const)("%s: %o", async (_, changes, isOther) => {
  const { services, ...shop } = await openTestShop()
  const { order } = await buy({ services, ...shop })
  expect(await isOtherSelection(services, order, { ...choice, ...changes })).toBe(isOther)
})
