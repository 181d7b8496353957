import { expect, test } from "vitest"
import { MAX_NOTE, noteIn, tagIn } from "./order-notes"

test.each([
  ["  Told her on chat.\n", "Told her on chat."],
  ["a\nb\tc", "a\nb\tc"],
  ["x".repeat(MAX_NOTE), "x".repeat(MAX_NOTE)],
  ["x".repeat(MAX_NOTE + 1), null],
  [" \n ", null],
  ["a\u001b[31mb", null],
])("the note %j is stored as %j", (text, note) => {
  expect(noteIn(text)).toBe(note)
})

test.each([
  [" VIP ", "vip"],
  ["charge back_risk", "charge-back-risk"],
  ["Größe-1", "größe-1"],
  ["", null],
  ["-a", null],
  ["a,b", null],
  ["<b>", null],
  ["x".repeat(31), null],
])("the tag %j is stored as %j", (text, tag) => {
  expect(tagIn(text)).toBe(tag)
})
