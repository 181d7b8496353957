import { readFileSync } from "node:fs"
import type { ServerResponse } from "node:http"
import { expect, test } from "vitest"
import { limits } from "~/security/rate-limits.server"
import { securityHeaders } from "~/server/security-headers.server"

const page = readFileSync("docs/security.md", "utf8")

/** Cells of the table of limits, by the request that they limit. */
function limitsOf(request: string): string {
  const row = page.split("\n").find((line) => line.startsWith(`| ${request} |`))
  if (!row) throw new Error(`docs/security.md has no row for ${request}`)
  return row.replaceAll("6 000", "6000")
}

const { signInsOfAddress, signInsOfEmail, signInsOfEmailAnywhere, wrongKeys, apiCalls } = limits

test.each([
  ["Sign-in", [signInsOfAddress, signInsOfEmail, signInsOfEmailAnywhere]],
  [
    "Sign-ins to the console",
    [limits.operatorSignInsOfAddress, limits.operatorSignInsOfEmail, limits.operatorSignInsOfEmailAnywhere],
  ],
  [
    "Password and code given again in the console",
    [limits.operatorProofsOfEmail, limits.operatorProofsOfEmailAnywhere],
  ],
  [
    "Sign-in messages",
    [
      limits.signInMailsOfAddress,
      limits.signInMailsOfEmail,
      limits.signInMailsOfEmailDaily,
      limits.signInMailsOfEmailAnywhere,
      limits.signInMailsOfKnown,
    ],
  ],
  ["Emails of orders", [limits.emailChecksOfBrowser, limits.emailChecksOfAddress]],
  ["Codes of sign-in messages", [limits.signInCodesOfBrowser, limits.signInCodesOfAddress]],
  [
    "Changes of email",
    [
      limits.emailChangesOfBrowser,
      limits.emailChangesOfAddress,
      limits.emailChangesOfCustomer,
      limits.emailChangesOfCustomerDaily,
      limits.emailChangesToEmail,
    ],
  ],
  ["Ratings of new passwords", [limits.newPasswordsOfBrowser, limits.newPasswordsOfAddress]],
  ["Unknown promo codes", [limits.wrongCodesOfBrowser, limits.wrongCodesOfAddress]],
  ["Orders", [limits.ordersOfBrowser, limits.triesOfOrder, limits.ordersOfAddress, limits.ordersOfEmail]],
  ["Payment attempts", [limits.paymentsOfBrowser, limits.paymentsOfOrder, limits.triesOfPayment]],
  ["Restarts, new login details and other devices", [limits.panelCallsOfService]],
  [
    "Choices about a renewal: whether, from account credit, with which plan",
    [limits.renewalChoicesOfService],
  ],
  ["Lines cancelled for their credit", [limits.lineCancellationsOfReseller]],
  ["Affiliate clicks", [limits.clicksOfAddress]],
  ["Forged callbacks", [limits.refusalsOfAddress]],
  ["API calls", [apiCalls, wrongKeys]],
])("docs/security.md names the limits of the code for %s", (request, numbers) => {
  const named = limitsOf(request).match(/\d+/g)?.map(Number) ?? []
  expect(named).toEqual(expect.arrayContaining([...numbers]))
})

test("docs/security.md names every security header", () => {
  const names: string[] = []
  const response = { setHeader: (name: string) => void names.push(name) } as unknown as ServerResponse
  securityHeaders("https://shop.example")(response)
  expect(names.length).toBeGreaterThan(4)
  expect(names.filter((name) => !page.toLowerCase().includes(`\`${name}`))).toEqual([])
})
