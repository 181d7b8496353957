import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import {
  attemptOutcomes,
  callbackOutcomes,
  createMetrics,
  updateOutcomes,
} from "~/observability/metric-definitions.server"
import { logCalls } from "../architecture/log-calls"

const page = readFileSync("docs/observability.md", "utf8")
const rows = page
  .split("\n")
  .filter((line) => line.startsWith("| `boxoffice_"))
  .map((line) => line.split("|").slice(1))
const codesIn = (text = "") => [...text.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code)

test("docs/observability.md has every metric with its labels", async () => {
  const defined = createMetrics().register.getMetricsAsArray() as unknown as {
    name: string
    labelNames: string[]
  }[]
  const expected = defined.map(({ name, labelNames }) => [name, ...labelNames])
  const named = rows.map(([name, labels]) => [...codesIn(name), ...codesIn(labels)])
  expect(named.toSorted()).toEqual(expected.toSorted())
})

test.each([
  ["boxoffice_payment_attempts_total", attemptOutcomes],
  ["boxoffice_callbacks_total", callbackOutcomes],
  ["boxoffice_payment_updates_total", updateOutcomes],
])("docs/observability.md has every outcome of %s", (metric, outcomes) => {
  const [, , meaning] = rows.find(([name]) => codesIn(name)[0] === metric) ?? []
  expect(codesIn(meaning).toSorted()).toEqual(outcomes.toSorted())
})

test("docs/observability.md explains every error that a shop logs", () => {
  const logged = logCalls()
    .filter(({ file, level }) => (level === "error" || level === "fatal") && !file.includes("app/sandbox/"))
    .map(({ message }) => message)
  const [, section = ""] = page.split("\n## Errors in the log\n")
  const explained = (section.split("\n## ")[0] ?? "").matchAll(/^\| `([^`]+)` \|/gm)
  expect([...explained].map(([, message]) => message).toSorted()).toEqual([...new Set(logged)].toSorted())
})
