import { readdirSync, readFileSync } from "node:fs"

const MARK = "BOXOFFICE_TEST_RUN"

/** Environment variable for all processes of a run. It identifies those that have left the run's process groups. */
export const mark = { [MARK]: `${process.pid}-${Date.now()}` }

/**
 * Kills every process with this run's environment variable (SIGKILL). Linux only: other systems do not expose the
 * environment of processes.
 */
export function killLeftoverProcesses() {
  for (const id of markedProcesses()) {
    try {
      process.kill(id, "SIGKILL")
    } catch {
      // The process has ended in the meantime.
    }
  }
}

function markedProcesses() {
  const line = `${MARK}=${mark[MARK]}`
  return processes().filter((id) => id !== process.pid && environmentOf(id).includes(line))
}

/** @returns {number[]} */
function processes() {
  if (process.platform !== "linux") return []
  return readdirSync("/proc").map(Number).filter(Number.isInteger)
}

/** @param {number} id */
function environmentOf(id) {
  try {
    return readFileSync(`/proc/${id}/environ`, "utf8").split("\0")
  } catch {
    // The process has ended, or belongs to another user.
    return []
  }
}
