import { expect, test } from "vitest"
import { suggestDomain, suggestEmail } from "./suggest-email.server"

test.each([
  ["gmial.com", "gmail.com"],
  ["gmail.con", "gmail.com"],
  ["gmaill.com", "gmail.com"],
  [" Gmail.co ", "gmail.com"],
  ["hotmial.com", "hotmail.com"],
  ["outlok.de", "outlook.de"],
  ["web.dee", "web.de"],
  ["t-onlin.de", "t-online.de"],
  ["zigo.nl", "ziggo.nl"],
  ["icloud.cm", "icloud.com"],
  ["yahoo.cmo", "yahoo.com"],
])("%s is likely meant to be %s", (typed, likely) => {
  expect(suggestDomain(typed)).toBe(likely)
})

test.each([
  ["the right domain", "gmail.com"],
  ["a large provider's domain in another country", "yahoo.be"],
  ["another with two endings", "yahoo.co.nz"],
  ["a company's domain", "example.com"],
  ["a short name of another company", "wob.de"],
  ["another short one", "aon.com"],
  ["a domain in another script", "почта.рф"],
  ["nothing", ""],
])("%s is not corrected", (_, typed) => {
  expect(suggestDomain(typed)).toBeNull()
})

test("keeps what is before the last at sign as it was typed", () => {
  expect(suggestEmail('"a@b"+TV@gmial.com')).toBe('"a@b"+TV@gmail.com')
  expect([suggestEmail("ana@gmail.com"), suggestEmail("ana"), suggestEmail(null)]).toEqual([null, null, null])
})
