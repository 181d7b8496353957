import { runDeepTests } from "../run/run-deep.mjs"
import { timesTable } from "../run/run-suite.mjs"
import { stopStepsOnSignals } from "../run/run-test-step.mjs"
import { runCli } from "../run/supervise.mjs"
import { deepStages, packagesFor } from "../run/test-steps.mjs"
import { prepareTests } from "../setup/prepare.mjs"

await runCli(async () => {
  const { missing } = await prepareTests(packagesFor(deepStages))
  stopStepsOnSignals()
  const { passed, failed, results } = await runDeepTests({ patterns: process.argv.slice(2), missing })
  console.log(`\n${timesTable(results, performance.now() / 1_000)}`)
  console.log(`\n${passed} passed, ${failed} failed`)
  return failed === 0 ? 0 : 1
})
