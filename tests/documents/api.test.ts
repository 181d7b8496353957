import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { errorCodes } from "~/billing-api/contract/error-codes"

test("docs/api.md has every error code of the billing API with its status", () => {
  const rows = readFileSync("docs/api.md", "utf8").matchAll(/^\| `([\w-]+)` \| (\d+) \|/gm)
  const named = [...rows].map(([, code = "", status]) => [code, Number(status)])
  expect(Object.fromEntries(named)).toEqual(errorCodes)
})
