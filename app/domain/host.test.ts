import { expect, test } from "vitest"
import { hostOf } from "./host"

test("the host of a URL is named with its port, if it has one", () => {
  expect(hostOf("https://pay.example/invoice/7?x=1")).toBe("pay.example")
  expect(hostOf("http://127.0.0.1:3001/")).toBe("127.0.0.1:3001")
})

test("an address that is not known has no host", () => {
  expect(hostOf(undefined)).toBe("")
})
