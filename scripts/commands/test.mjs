import { runSuite, timesTable } from "../run/run-suite.mjs"
import { stopStepsOnSignals } from "../run/run-test-step.mjs"
import { runCli } from "../run/supervise.mjs"
import { packagesFor, stagesFor, stagesHaveTests } from "../run/test-steps.mjs"
import { prepareTests } from "../setup/prepare.mjs"

await runCli(async () => {
  const stages = stagesFor(process.argv.slice(2))
  const { missing, seconds } = await prepareTests(packagesFor(stages))
  stopStepsOnSignals()
  const { passed, failed, results } = await runSuite(stages, { missing })
  const times = [{ name: "Downloads and installation", seconds }, ...results]
  console.log(`\n${timesTable(times, performance.now() / 1_000)}`)
  if (stagesHaveTests(stages)) console.log(`\n${passed} passed, ${failed} failed`)
  return failed === 0 ? 0 : 1
})
