import { expect, test } from "vitest"
import { maskedBody, maskedHeader } from "./rejected-callback"

test.each([
  ["cookie", "a=b", "...(3 characters)"],
  ["authorization", "Basic dXNlcjpwYXNz", "...(18 characters)"],
  ["x-api-key", "k-123", "...(5 characters)"],
  ["btcpay-sig", `sha256=${"a1".repeat(32)}`, "sha256=a1a1...(64 characters)"],
  ["webhook-signature", `v1,${"B".repeat(43)}=`, "v1,BBBB...(44 characters)"],
  ["x-hook0-signature", `t=1781524800,v0=${"0".repeat(64)}`, "t=1781524800,v0=0000...(64 characters)"],
  ["webhook-timestamp", "1781524800", "1781524800"],
  ["from", "Ana <ana@example.test>", "Ana <...@example.test>"],
  ["content-type", "application/json", "application/json"],
])("of the header %s is stored what shows its shape, and no secret", (name, value, shown) => {
  expect(maskedHeader(name, value)).toBe(shown)
})

test.each([
  [`{"uuid":"u-1","sign":"${"d4".repeat(16)}"}`, '{"uuid":"u-1","sign":"d4d4...(32 characters)"}'],
  ['{"payer_email":"ana@example.test","amount":"5"}', '{"payer_email":"...@example.test","amount":"5"}'],
  [
    "order_id=7&sign=abcdefgh&email=ana%40example.test",
    "order_id=7&sign=abcd...(8 characters)&email=...%40example.test",
  ],
  ["{not json", "{not json"],
])("of the body %s no signature and no e-mail address is stored", (sent, shown) => {
  expect(maskedBody(sent)).toBe(shown)
})

test("bytes that are no text stay as they are", () => {
  const bytes = Array.from({ length: 256 }, (_, code) => String.fromCharCode(code))
    .filter((it) => it !== "@")
    .join("")
  expect(maskedBody(bytes)).toBe(bytes)
})

test.each([
  ["a".repeat(64_000)],
  ["sign:".repeat(12_000)],
  [`"sign"${" ".repeat(64_000)}`],
  ["@".repeat(64_000)],
])("masking a body that was made to be slow takes no time worth mentioning", (body) => {
  const begin = performance.now()
  maskedBody(body)
  expect(performance.now() - begin).toBeLessThan(500)
})
