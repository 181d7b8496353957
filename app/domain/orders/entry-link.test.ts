import fc from "fast-check"
import { expect, test } from "vitest"
import { emptyChoices } from "./choices"
import { choicesFrom, EntryLink, entryLinkIn, isForBuying } from "./entry-link"

const read = (query: string) =>
  choicesFrom(EntryLink.parse(Object.fromEntries(new URLSearchParams(query))), "plan", emptyChoices)

test("an entry link sets plan, promo code, e-mail and extras", () => {
  expect(read("pid=2&promocode=WELCOME10&email=ana@example.test&extraconnect=1&proxyprotect=true")).toEqual({
    kind: "plan",
    plan: "2",
    promoCode: "WELCOME10",
    email: "ana@example.test",
    gateway: null,
    coin: null,
    extraConnection: true,
    proxyProtection: true,
  })
})

test.each([
  ["a plan that is not a number", "pid=best"],
  ["a plan number of more than ten digits", "pid=12345678901"],
  ["an empty e-mail", "email="],
  ["an invalid e-mail", "email=ana%20at%20example"],
  ["a promo code of 65 characters", `promocode=${"x".repeat(65)}`],
  ["an extra set to 0", "extraconnect=0"],
  ["an extra with an unknown value", "proxyprotect=perhaps"],
  ["an extra with an empty value", "extraconnect="],
  ["unknown and prototype parameters", "__proto__=1&constructor=2&gateway=free"],
])("ignores %s", (_, query) => {
  expect(read(query)).toEqual(emptyChoices)
})

test.each(["1", "true", "yes", "on"])("an extra is selected by the value %s", (yes) => {
  expect(read(`extraconnect=${yes}`)).toMatchObject({ extraConnection: true, proxyProtection: false })
})

test("trims the promo code and the e-mail of a link", () => {
  expect(read("promocode=%20WELCOME10%20&email=%20ana@example.test%20")).toMatchObject({
    promoCode: "WELCOME10",
    email: "ana@example.test",
  })
})

test("reads the plus of an e-mail that the link has without encoding, where it stands for a space", () => {
  expect(read("email=ana+tv@example.test&pid=2")).toMatchObject({ email: "ana+tv@example.test" })
  expect(read("email=+ana%2Btv@example.test+")).toMatchObject({ email: "ana+tv@example.test" })
})

test.each(["TRUE", "True", "Yes", " on "])("an extra is selected by the value %j of a program", (yes) => {
  expect(read(`proxyprotect=${yes}`)).toMatchObject({ proxyProtection: true })
})

test.each(["0", "false", "no", "OFF"])("an extra of an earlier link is taken back by the value %s", (no) => {
  const before = { ...emptyChoices, plan: "3", extraConnection: true, proxyProtection: true }
  expect(choicesFrom(EntryLink.parse({ extraconnect: no }), "plan", before)).toEqual({
    ...before,
    extraConnection: false,
  })
})

test("reads a plan number with spaces around it", () => {
  expect(read("pid=%202%20")).toMatchObject({ plan: "2" })
})

test("keeps choices that the link does not set", () => {
  const before = { ...emptyChoices, plan: "1", proxyProtection: true }
  expect(choicesFrom(EntryLink.parse({ pid: "3" }), "plan", before)).toEqual({ ...before, plan: "3" })
})

test("a link to the reseller pages selects a reseller plan and drops the viewer choices", () => {
  const before = { ...emptyChoices, plan: "1", promoCode: "YEAR15", email: "ana@example.test" }
  expect(choicesFrom(EntryLink.parse({ pid: "12" }), "reseller", before)).toEqual({
    ...emptyChoices,
    kind: "reseller",
    plan: "12",
    email: "ana@example.test",
  })
  expect(choicesFrom(EntryLink.parse({ email: "ben@example.test" }), "reseller", before).plan).toBe("1")
})

test("parses any query string without throwing", () => {
  fc.assert(fc.property(fc.dictionary(fc.string(), fc.string()), (query) => void EntryLink.parse(query)))
})

test.each([
  ["an affiliate that is not a number", "aff_id=me", "aff_id"],
  ["an affiliate with letters before the number", "aff_id=a12", "aff_id"],
  ["an affiliate with letters after the number", "aff_id=12a", "aff_id"],
  ["a service id with a path prefix", "serviceid=../7", "serviceid"],
  ["a service id with a path suffix", "serviceid=7/..", "serviceid"],
  ["an automatic order with the value 1", "auto_redirect=1", "auto_redirect"],
  ["an invalid date", "expires=soon", "expires"],
  ["a date with letters before it", "expires=x1700000000", "expires"],
  ["a date with letters after it", "expires=1700000000x", "expires"],
  ["a resume token without a signature", "resume=abc", "resume"],
  ["a resume token with markup before it", "resume=%3Cabc.def", "resume"],
  ["a resume token with markup after it", "resume=abc.def%3E", "resume"],
])("ignores the parameter of %s", (_, query, name) => {
  expect(entryLinkIn(new URLSearchParams(query))).toMatchObject({ [name]: undefined })
})

test("reads affiliate, signed service, resume token and automatic order from a link", () => {
  const body = {
    aff_id: "1234",
    serviceid: "7K3-QW_Z",
    expires: "1700000000",
    signature: "c2lnbmF0dXJl",
    resume: "attempt-1.c2ln",
    auto_redirect: "true",
  }
  expect(entryLinkIn(new URLSearchParams(body))).toEqual(body)
})

test("a URL without known parameters is not an entry link", () => {
  expect(entryLinkIn(new URLSearchParams("utm=mail"))).toBeNull()
})

test("a link with a plan or promo code is a purchase link, one with a service is not", () => {
  expect(isForBuying(EntryLink.parse({ pid: "1" }))).toBe(true)
  expect(isForBuying(EntryLink.parse({ promocode: "X" }))).toBe(true)
  expect(isForBuying(EntryLink.parse({ email: "ana@example.test", serviceid: "7" }))).toBe(false)
})
