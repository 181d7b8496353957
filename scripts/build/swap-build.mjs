import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs"
import { join } from "node:path"

/**
 * Replaces the old build by the new one, which lies in a folder inside it. Renaming keeps every file available to a
 * shop that still runs on the old build.
 * @param {string} built
 * @param {string} next
 */
export function replaceBuild(built, next) {
  const last = join(built, "last")
  rmSync(last, { recursive: true, force: true })
  mkdirSync(last)
  for (const name of readdirSync(next)) {
    if (existsSync(join(built, name))) renameSync(join(built, name), join(last, name))
    renameSync(join(next, name), join(built, name))
  }
  for (const folder of [last, next]) rmSync(folder, { recursive: true })
}
