import { spawnSync } from "node:child_process"
import { forgetBuild, hashOfSources, rememberBuild } from "./build-age.mjs"
import { compressAssets } from "./compress-assets.mjs"
import { keepEarlierAssets } from "./earlier-assets.mjs"
import { asCommand } from "./problem.mjs"
import { inProject, projectFolder } from "./project-folder.mjs"
import { projectNode, tool } from "./project-node.mjs"
import { replaceBuild } from "./replace-build.mjs"
import { buildServiceWorker } from "./service-worker.mjs"
import { holdBudget } from "./size-budget.mjs"

const built = inProject("build")
const next = inProject("build", "next")

await asCommand(async () => {
  const sources = hashOfSources()
  forgetBuild()
  // A build that works has nothing to tell; one that fails tells everything.
  const { status, stdout, stderr } = spawnSync(projectNode(), [tool("react-router"), "build"], {
    ...{ cwd: projectFolder, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 },
    env: { ...process.env, NODE_ENV: "production", BUILD_FOLDER: "build/next" },
  })
  if (status !== 0) {
    process.stderr.write(`${stdout}${stderr}`)
    return status ?? 1
  }
  await buildServiceWorker(next, sources)
  await compressAssets(inProject("build", "next", "client"))
  await holdBudget(next)
  keepEarlierAssets({ from: built, into: next, now: Date.now() })
  replaceBuild(built, next)
  rememberBuild(sources)
  return 0
})
