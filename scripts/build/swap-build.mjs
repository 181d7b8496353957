import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs"
import { join } from "node:path"

/**
 * Puts a new build, which lies inside the folder of the old one, in its place. By renaming: a shop that still runs on
 * the old build finds the files that open pages ask for at every moment.
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
