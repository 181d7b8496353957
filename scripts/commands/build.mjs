import { spawnSync } from "node:child_process"
import { buildServiceWorker } from "../build/build-service-worker.mjs"
import { clearBuildStamp, hashOfSources, writeBuildStamp } from "../build/build-stamp.mjs"
import { compressAssets } from "../build/compress-assets.mjs"
import { keepPreviousAssets } from "../build/keep-previous-assets.mjs"
import { stripServerOnlyRoutes } from "../build/server-only-routes.mjs"
import { holdBudget } from "../build/size-budget.mjs"
import { replaceBuild } from "../build/swap-build.mjs"
import { writeNotices } from "../build/third-party-notices.mjs"
import { runCli } from "../run/supervise.mjs"
import { projectNode, tool } from "../setup/node-binary.mjs"
import { inProject, projectFolder } from "../setup/project-root.mjs"

const built = inProject("build")
const next = inProject("build", "next")

await runCli(async () => {
  const sources = hashOfSources()
  clearBuildStamp()
  // Prints the build's output only if the build fails.
  const { status, stdout, stderr } = spawnSync(projectNode(), [tool("react-router"), "build"], {
    cwd: projectFolder,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
    env: { ...process.env, NODE_ENV: "production", BUILD_DIR: "build/next" },
  })
  if (status !== 0) {
    process.stderr.write(`${stdout}${stderr}`)
    return status ?? 1
  }
  stripServerOnlyRoutes(inProject("build", "next", "client"))
  await buildServiceWorker(next, sources)
  writeNotices(next)
  await compressAssets(inProject("build", "next", "client"))
  await holdBudget(next)
  keepPreviousAssets({ from: built, into: next, now: Date.now() })
  replaceBuild(built, next)
  writeBuildStamp(sources)
  return 0
})
