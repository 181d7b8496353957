import { expect, test } from "vitest"
import { accessError, WhmcsError } from "./errors"

test("what WHMCS said is told where it is harmless", () => {
  const rejection = new WhmcsError("AddOrder", "Client ID Not Found")
  expect(rejection.message).toBe("WHMCS rejected AddOrder: Client ID Not Found")
})

test.each([
  ["an e-mail", "A user ana@example.test exists", []],
  ["the address of a page", "cURL error: http://panel.example.test/?user=a", []],
  ["what was sent as a secret", "Password 0123456789 is too short", ["0123456789"]],
  ["a secret with an entity in it", "Password a&b is too short", ["a&amp;b"]],
  ["a page", "<b>Warning</b>", []],
])("words with %s in them are not repeated, and can still be told apart", (_, message, secrets) => {
  const rejection = new WhmcsError("AddClient", message, secrets)
  expect(rejection.message).toBe("WHMCS rejected AddClient: message withheld")
  expect(JSON.stringify({ ...rejection })).not.toContain(message)
  expect(rejection.says(new RegExp(message.slice(0, 6)))).toBe(true)
})

test.each([
  [403, "Invalid IP 203.0.113.9", "address"],
  [403, "Forbidden IP 203.0.113.9", "address"],
  [403, 'Invalid Permissions: API action "getproducts" is not allowed', "permission"],
  [403, "Invalid or missing credentials", "credentials"],
  [200, "Authentication Failed", "credentials"],
  [403, "Something else", "other"],
])("%i with %j is for the operator to put right: %s", (status, message, fault) => {
  expect(accessError(status, message)).toMatchObject({ kind: "unavailable", fault })
})

test("a no to an action is no closed door", () => {
  expect(accessError(200, "Client ID Not Found")).toBeNull()
})
