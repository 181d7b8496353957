import { expect, test } from "vitest"
import { DAY } from "~/domain/calendar"
import { endOfTerm, newTerm } from "~/domain/services/term"
import { signWith } from "./hmac.server"
import { isRenewalToken, renewalToken, serviceIdOfToken } from "./renewal-token.server"

const NOW = 1_700_000_000_000
const signer = signWith(["a secret of this shop"], "links")
const linked = { serviceId: "s-1_a", term: newTerm(NOW - 30 * DAY, "UTC", 1), cycle: "monthly" } as const
const token = renewalToken(signer, linked, NOW + DAY)

test("a token opens the renewal of its service until it expires", () => {
  expect(serviceIdOfToken(token)).toBe("s-1_a")
  expect(isRenewalToken(signer, token, { ...linked, at: NOW })).toBe(true)
  expect(isRenewalToken(signer, token, { ...linked, at: NOW + DAY - 1 })).toBe(true)
  expect(isRenewalToken(signer, token, { ...linked, at: NOW + DAY })).toBe(false)
})

test.each([
  ["another cycle", { ...linked.term, count: 2 }],
  ["a new anchor", { ...linked.term, anchor: NOW }],
])("a token is used up by %s", (_, term) => {
  expect(isRenewalToken(signer, token, { ...linked, term, at: NOW })).toBe(false)
})

test.each([
  ["given days", { ...linked.term, extraDays: 3 }],
  [
    "another plan that begins at the end of the paid time",
    newTerm(endOfTerm(linked.term, "monthly"), "UTC", 0),
  ],
])("a token still opens the renewal after %s", (_, term) => {
  expect(isRenewalToken(signer, token, { ...linked, term, at: NOW })).toBe(true)
})

test("a token of an earlier version is used up by a renewal too", () => {
  const { serviceId, term } = linked
  const expires = String((NOW + DAY) / 1_000)
  const signed = signer.sign(JSON.stringify(["renewal link", serviceId, term.anchor, term.count, expires]))
  const former = `${serviceId}.${expires}.${signed}`
  expect(isRenewalToken(signer, former, { ...linked, at: NOW })).toBe(true)
  expect(isRenewalToken(signer, former, { ...linked, term: { ...term, count: 2 }, at: NOW })).toBe(false)
})

test.each([
  ["another service", token.replace("s-1_a", "s-1_b")],
  ["another expiry", token.replace(/\.\d+\./, `.${NOW}.`)],
  ["another signature", `${token.slice(0, -2)}xx`],
  ["no signature", "s-1_a.1900000000"],
  ["nothing", ""],
])("a token with %s is none", (_, forged) => {
  const serviceId = serviceIdOfToken(forged)
  expect(isRenewalToken(signer, forged, { ...linked, serviceId, at: NOW })).toBe(false)
})

test("a token of a former secret still counts, and one of another purpose does not", () => {
  const rotated = signWith(["the next secret", "a secret of this shop"], "links")
  expect(isRenewalToken(rotated, token, { ...linked, at: NOW })).toBe(true)
  const other = signWith(["a secret of this shop"], "return URLs")
  expect(isRenewalToken(other, token, { ...linked, at: NOW })).toBe(false)
})
