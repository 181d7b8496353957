import { join } from "node:path"
import { fileURLToPath } from "node:url"

/** The project's folder, independent of the current directory. */
export const projectFolder = fileURLToPath(new URL("../..", import.meta.url))

/** @param {string[]} parts */
export const inProject = (...parts) => join(projectFolder, ...parts)
