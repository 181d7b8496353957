import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { isForOperator, isSentAgain, messageNames } from "~/domain/shop/mail"

test("docs/mail.md has every message with its recipient, and whether it is sent again", () => {
  const rows = [
    ...readFileSync("docs/mail.md", "utf8").matchAll(/^\| `([\w-]+)` \|[^|]+\|([^|]+)\|([^|]+)\|$/gm),
  ].map(([, name, to = "", again = ""]) => [name, to.trim() === "the operator", again.trim()])
  const expected = messageNames.map((name) => [name, isForOperator(name), isSentAgain(name) ? "yes" : "no"])
  expect(rows.toSorted()).toEqual(expected.toSorted())
})
