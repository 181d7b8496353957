import { join } from "node:path"
import { fileURLToPath } from "node:url"

/** The folder of the project, wherever a command was called from. */
export const projectFolder = fileURLToPath(new URL("../..", import.meta.url))

/** @param {string[]} parts */
export const inProject = (...parts) => join(projectFolder, ...parts)
