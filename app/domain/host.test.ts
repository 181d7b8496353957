import { expect, test } from "vitest"
import { hostOf } from "./host"

test("returns the host of a URL, with a port if present", () => {
  expect(hostOf("https://pay.example/invoice/7?x=1")).toBe("pay.example")
  expect(hostOf("http://127.0.0.1:3001/")).toBe("127.0.0.1:3001")
})

test("returns an empty host for undefined", () => {
  expect(hostOf(undefined)).toBe("")
})
