import { runStep, stopStepsOnSignals } from "../run/run-test-step.mjs"
import { countTests, forgetReports, reports } from "../run/test-counts.mjs"
import { asCommand } from "../setup/cli-error.mjs"
import { installWhatTheLockSays } from "../setup/install-dependencies.mjs"
import { installSystemPrograms } from "../setup/install-system-packages.mjs"
import { tool } from "../setup/node-binary.mjs"
import { inProject } from "../setup/project-root.mjs"

/**
 * Stages one after the other; the steps of a stage side by side.
 * @type {import("../run/run-test-step.mjs").Step[][]}
 */
const stages = [
  [{ name: "Route types", words: [tool("react-router"), "typegen"] }],
  [
    { name: "Types", words: [tool("tsc")], quiet: true },
    { name: "Lint and format", words: [tool("biome"), "ci", "--colors=off", "."], quiet: true },
    { name: "Unused code", words: [tool("knip")], quiet: true },
  ],
  [
    {
      name: "Unit and contract tests",
      words: [
        tool("vitest"),
        "run",
        "--reporter=default",
        "--reporter=json",
        `--outputFile.json=${reports.unit}`,
      ],
    },
  ],
  [{ name: "Build", words: [inProject("scripts", "commands", "build.mjs")] }],
  [{ name: "End-to-end tests", words: [tool("playwright"), "test", "-c", "tests/e2e/playwright.config.ts"] }],
]

/** Up to the first stage in which something fails. */
async function runStages() {
  for (const stage of stages) {
    const results = await Promise.all(stage.map(runStep))
    if (results.includes(false)) return false
  }
  return true
}

await asCommand(async () => {
  const began = performance.now()
  await installWhatTheLockSays()
  await installSystemPrograms()
  forgetReports()
  stopStepsOnSignals()
  const wentWell = await runStages()
  const { passed, failed, again } = countTests()
  if (again > 0) console.log(`\n${again} went well only when tried again: the runner names them as flaky`)
  console.log(`\n${Math.round((performance.now() - began) / 1_000)} s in all`)
  // A check that fails before any test is a failure too: nobody shall read "0 failed" then.
  console.log(`${passed} passed, ${wentWell ? failed : Math.max(failed, 1)} failed`)
  return wentWell ? 0 : 1
})
