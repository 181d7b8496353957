import { afterEach, beforeEach, expect, test } from "vitest"
import type { StepCount } from "~/domain/orders/purchase-step"
import { type CommandLine, openCommandLine } from "../../../../tests/fixtures/admin-cli"

let line: CommandLine
beforeEach(async () => {
  line = await openCommandLine("nobody")
})
afterEach(() => line.close())

const day = "2026-06-14"
const seen: StepCount = { day, step: "seen", plan: null, gateway: null, locale: "de-de", count: 40 }
const paid: StepCount = { day, step: "paid", plan: "3", gateway: "offshore", locale: "en-en", count: 3 }

test("steps show lists the steps of 28 days in all, and by plan, gateway, language and day", async () => {
  const old = { ...seen, day: "2026-05-18" }
  await line.backend.steps.addSteps([seen, paid, old])
  const { output } = await line.command("steps show")
  const rows = output.split("\n").map((row) => row.trim().split(/ {2,}/).join(" | "))
  expect(rows).toEqual([
    "From 2026-05-19 to 2026-06-15",
    "",
    "seen | chosen | email | submitted | left | returned | paid",
    "All | 40 | 0 | 0 | 0 | 0 | 0 | 3",
    "Of seen | 100.0 % | 0.0 % | 0.0 % | 0.0 % | 0.0 % | 0.0 % | 7.5 %",
    "",
    "Plan | seen | chosen | email | submitted | left | returned | paid",
    "3 | 0 | 0 | 0 | 0 | 0 | 0 | 3",
    "none yet | 40 | 0 | 0 | 0 | 0 | 0 | 0",
    "",
    "Gateway | seen | chosen | email | submitted | left | returned | paid",
    "none yet | 40 | 0 | 0 | 0 | 0 | 0 | 0",
    "offshore | 0 | 0 | 0 | 0 | 0 | 0 | 3",
    "",
    "Language | seen | chosen | email | submitted | left | returned | paid",
    "de-de | 40 | 0 | 0 | 0 | 0 | 0 | 0",
    "en-en | 0 | 0 | 0 | 0 | 0 | 0 | 3",
    "",
    "Day | seen | chosen | email | submitted | left | returned | paid",
    "2026-06-14 | 40 | 0 | 0 | 0 | 0 | 0 | 3",
  ])
  const json = await line.command("steps show --from 2026-05-18 --to 2026-06-14 --json")
  expect(JSON.parse(json.output)).toMatchObject({
    from: "2026-05-18",
    to: day,
    totals: { seen: 80, submitted: 0, paid: 3 },
    steps: [old, seen, paid],
  })
})

test("steps show says that nothing was counted", async () => {
  expect((await line.command("steps show --from 2026-01-01 --to 2026-01-02")).output).toBe(
    "No steps from 2026-01-01 to 2026-01-02.",
  )
})

test.each(["--from 2026-02-30", "--to yesterday", "--from 2026-06-15 --to 2026-06-14"])(
  "steps show rejects %s",
  async (options) => {
    expect(await line.command(`steps show ${options}`)).toMatchObject({ exitCode: 2 })
  },
)
