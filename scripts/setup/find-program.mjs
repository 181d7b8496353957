import { accessSync, constants } from "node:fs"
import { delimiter, join } from "node:path"

/**
 * Returns the path of a program on PATH, or null.
 * @param {string} name
 */
export function findProgram(name) {
  const places = (process.env.PATH ?? "").split(delimiter).filter(Boolean)
  return places.map((place) => join(place, name)).find(isExecutable) ?? null
}

/** @param {string} file */
export function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
