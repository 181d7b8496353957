import { expect, test } from "vitest"
import { documentNumberIn } from "./document-number"

const prefixes = [
  { kind: "invoice", prefix: "" },
  { kind: "credit-note", prefix: "CN-" },
] as const

test.each([
  ["2026-000123", { kind: "invoice", year: 2026, sequence: 123 }],
  ["CN-2026-000000", { kind: "credit-note", year: 2026, sequence: 0 }],
  ["2026-1234567", { kind: "invoice", year: 2026, sequence: 1_234_567 }],
])("%s is a number", (text, expected) => {
  expect(documentNumberIn(text, prefixes)).toEqual(expected)
})

test.each([
  "",
  "123",
  "2026-123",
  "2026-0001230",
  " 2026-000123",
  "cn-2026-000001",
  "XX-2026-000001",
  "2026-00012x",
])("what is mistyped is none: %j", (text) => {
  expect(documentNumberIn(text, prefixes)).toBeNull()
})
