import { execFileSync } from "node:child_process"
import { expect, test } from "vitest"
import { inProject } from "../../scripts/setup/project-root.mjs"

/** Keeps 200,000 small objects while it makes and drops twenty times as many; prints the most bytes that were in use. */
const CHURN = `const kept = []
let most = 0
for (let nth = 0; nth < 4_000_000; nth++) {
  kept[nth % 200_000] = { nth, text: nth + " of many", more: [nth] }
  if (nth % 10_000 === 0) most = Math.max(most, process.memoryUsage().heapUsed)
}
process.stdout.write(String(most))`

const module = JSON.stringify(inProject("app", "server", "limit-heap-growth.server.ts"))

/** The most bytes in use in a process of its own, since the flag is one of the whole process. */
const mostUsed = (before: string) =>
  Number(execFileSync(process.execPath, ["--input-type=module", "--eval", `${before}\n${CHURN}`]))

// Some 0.6 to 0.75 of it, by what else the machine does; without the limit it is as much, give or take a tenth.
test("a server holds clearly less garbage than Node would hold before it collects it", () => {
  const limited = mostUsed(`import { limitHeapGrowth } from ${module}\nlimitHeapGrowth()`)
  expect(limited).toBeLessThan(mostUsed("") * 0.85)
})
