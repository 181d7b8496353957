import { runCi } from "../run/run-ci.mjs"
import { runDeepTests } from "../run/run-deep.mjs"
import { runSuite, timesTable } from "../run/run-suite.mjs"
import { stopStepsOnSignals } from "../run/run-test-step.mjs"
import { runCli } from "../run/supervise.mjs"
import { deepStages, packagesFor, stagesFor } from "../run/test-steps.mjs"
import { prepareTests } from "../setup/prepare.mjs"

await runCli(async () => {
  const stages = stagesFor([])
  /** @type {readonly string[]} */
  let missing = []
  const { passed, failed, results } = await runCi({
    runTests: async (deadline) => {
      const prepared = await prepareTests(packagesFor([...stages, ...deepStages]))
      missing = prepared.missing
      stopStepsOnSignals()
      return runSuite(stages, { missing, deadline })
    },
    runDeepTests: (deadline) => runDeepTests({ patterns: [], missing, deadline }),
  })
  console.log(`\n${timesTable(results, performance.now() / 1_000)}`)
  console.log(`\n${passed} passed, ${failed} failed`)
  return failed === 0 ? 0 : 1
})
