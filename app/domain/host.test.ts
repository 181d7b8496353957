import { expect, test } from "vitest"
import { hostOf } from "./host"

test("people are told the host of an address, with its port where it has one", () => {
  expect(hostOf("https://pay.example/invoice/7?x=1")).toBe("pay.example")
  expect(hostOf("http://127.0.0.1:3001/")).toBe("127.0.0.1:3001")
})

test("no address has no host", () => {
  expect(hostOf(undefined)).toBe("")
})
