import { expect, test } from "vitest"
import { money } from "~/domain/money/money"
import { rendered } from "../../../tests/fixtures/render-screen"
import { textOf } from "../../../tests/support/html/html-tree"
import { QuoteLines } from "./quote-lines"

test("what is taken off is written alike, whether a code or the unused time of the former plan", async () => {
  const lines = [
    { kind: "discount", code: "TV10", amount: money(-1200, "EUR") },
    { kind: "unusedTime", name: "Unused time", amount: money(-1698, "EUR") },
  ] as const
  const text = textOf(await rendered(<QuoteLines lines={lines} />, "de-de"))
  expect(text).toMatch(/TV10 \u2212\s12,00\s€/)
  expect(text).toMatch(/time \u2212\s16,98\s€/)
})
