import { expect, test } from "vitest"
import { accessError, WhmcsError } from "./errors"

test("repeats WHMCS's message in the error if it contains no sensitive data", () => {
  const rejection = new WhmcsError("AddOrder", "Client ID Not Found")
  expect(rejection.message).toBe("WHMCS rejected AddOrder: Client ID Not Found")
})

test.each([
  ["an email", "A user ana@example.test exists", []],
  ["a URL", "cURL error: http://panel.example.test/?user=a", []],
  ["a secret of the request", "Password 0123456789 is too short", ["0123456789"]],
  ["a decoded secret with an HTML entity", "Password a&b is too short", ["a&amp;b"]],
  ["an HTML page", "<b>Warning</b>", []],
])("withholds a message with %s, and says() still matches it", (_, message, secrets) => {
  const rejection = new WhmcsError("AddClient", message, secrets)
  expect(rejection.message).toBe("WHMCS rejected AddClient: message withheld")
  expect(JSON.stringify({ ...rejection })).not.toContain(message)
  expect(rejection.matches(new RegExp(message.slice(0, 6)))).toBe(true)
})

test.each([
  [403, "Invalid IP 203.0.113.9", "address"],
  [403, "Forbidden IP 203.0.113.9", "address"],
  [403, 'Invalid Permissions: API action "getproducts" is not allowed', "permission"],
  [403, "Invalid or missing credentials", "credentials"],
  [200, "Authentication Failed", "credentials"],
  [403, "Something else", "other"],
])("maps status %i with message %j to the access fault %s", (status, message, fault) => {
  expect(accessError(status, message)).toMatchObject({ kind: "unavailable", fault })
})

test("returns no access error for a rejected action", () => {
  expect(accessError(200, "Client ID Not Found")).toBeNull()
})
