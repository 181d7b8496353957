import fc from "fast-check"
import { expect, test } from "vitest"
import { emptyChoices } from "./choices"
import { choicesFrom, EntryLink, entryLinkIn, isForBuying } from "./entry-link"

const read = (query: string) =>
  choicesFrom(EntryLink.parse(Object.fromEntries(new URLSearchParams(query))), "plan", emptyChoices)

test("a link fills in plan, code, e-mail and extras", () => {
  expect(read("pid=2&promocode=WELCOME10&email=ana@example.test&extraconnect=1&proxyprotect=true")).toEqual({
    ...{
      kind: "plan",
      plan: "2",
      promoCode: "WELCOME10",
      email: "ana@example.test",
      gateway: null,
      coin: null,
    },
    ...{ extraConnection: true, proxyProtection: true },
  })
})

test.each([
  ["a plan that is no number", "pid=best"],
  ["a plan number nobody could have", "pid=12345678901"],
  ["no e-mail at all", "email="],
  ["an e-mail that is none", "email=ana%20at%20example"],
  ["a code of a novel's length", `promocode=${"x".repeat(65)}`],
  ["an extra that is not wanted", "extraconnect=0"],
  ["an extra that is nonsense", "proxyprotect=perhaps"],
  ["an extra that says neither yes nor no", "extraconnect="],
  ["words that are not ours", "__proto__=1&constructor=2&gateway=free"],
])("%s is ignored", (_, query) => {
  expect(read(query)).toEqual(emptyChoices)
})

test.each(["1", "true", "yes", "on"])("an extra is wanted where a link says %s", (yes) => {
  expect(read(`extraconnect=${yes}`)).toMatchObject({ extraConnection: true, proxyProtection: false })
})

test("space around the code and the e-mail of a link does not count", () => {
  expect(read("promocode=%20WELCOME10%20&email=%20ana@example.test%20")).toMatchObject({
    promoCode: "WELCOME10",
    email: "ana@example.test",
  })
})

test("what a link does not mention stays as it was", () => {
  const before = { ...emptyChoices, plan: "1", proxyProtection: true }
  expect(choicesFrom(EntryLink.parse({ pid: "3" }), "plan", before)).toEqual({ ...before, plan: "3" })
})

test("a link to the resellers' pages chooses one of their plans, and forgets what was chosen among the others", () => {
  const before = { ...emptyChoices, plan: "1", promoCode: "YEAR15", email: "ana@example.test" }
  expect(choicesFrom(EntryLink.parse({ pid: "12" }), "reseller", before)).toEqual({
    ...{ ...emptyChoices, kind: "reseller", plan: "12", email: "ana@example.test" },
  })
  expect(choicesFrom(EntryLink.parse({ email: "ben@example.test" }), "reseller", before).plan).toBe("1")
})

test("no link whatever breaks the shop", () => {
  fc.assert(fc.property(fc.dictionary(fc.string(), fc.string()), (query) => void EntryLink.parse(query)))
})

test.each([
  ["an affiliate without a number", "aff_id=me", "aff_id"],
  ["an affiliate with letters before the number", "aff_id=a12", "aff_id"],
  ["an affiliate with letters after the number", "aff_id=12a", "aff_id"],
  ["a service with strange letters", "serviceid=../7", "serviceid"],
  ["a service with strange letters at its end", "serviceid=7/..", "serviceid"],
  ["an automatic order that is not wanted", "auto_redirect=1", "auto_redirect"],
  ["a date that is none", "expires=soon", "expires"],
  ["a date with letters before it", "expires=x1700000000", "expires"],
  ["a date with letters after it", "expires=1700000000x", "expires"],
  ["a way back without a signature", "resume=abc", "resume"],
  ["a way back with strange letters before it", "resume=%3Cabc.def", "resume"],
  ["a way back with strange letters after it", "resume=abc.def%3E", "resume"],
])("%s says nothing", (_, query, name) => {
  expect(entryLinkIn(new URLSearchParams(query))).toMatchObject({ [name]: undefined })
})

test("a link may name an affiliate, a service with its signature, the way back and an automatic order", () => {
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

test("an address that says nothing of ours is no link", () => {
  expect(entryLinkIn(new URLSearchParams("utm=mail"))).toBeNull()
})

test("a link that names a plan or a code is for buying, one that names a service is not", () => {
  expect(isForBuying(EntryLink.parse({ pid: "1" }))).toBe(true)
  expect(isForBuying(EntryLink.parse({ promocode: "X" }))).toBe(true)
  expect(isForBuying(EntryLink.parse({ email: "ana@example.test", serviceid: "7" }))).toBe(false)
})
