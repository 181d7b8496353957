import { expect, test } from "vitest"
import { openCommandLine } from "../../../tests/fixtures/admin-cli"

test("a shop without rules of tax says so, and nothing else", async () => {
  const line = await openCommandLine()
  const { exitCode, output } = await line.command("tax show")
  await line.close()
  expect([exitCode, output.trim()]).toEqual([0, "There are no rules: nothing is taxed."])
})
