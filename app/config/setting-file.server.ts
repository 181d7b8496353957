import { readFileSync } from "node:fs"

/** Reads the file that a setting names. Throws an `Error` that names setting, file and reason. */
export function readSettingFile(setting: string, file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`Invalid ${setting} ${file}: ${reason}`, { cause })
  }
}
