import { readdirSync, readFileSync } from "node:fs"

const MARK = "BOXOFFICE_TEST_RUN"

/** To be set for everything a run starts: by it the run finds again what has slipped out of its process groups. */
export const mark = { [MARK]: `${process.pid}-${Date.now()}` }

/** Ends every process that carries this run's mark, at once. Only Linux shows the environment of processes. */
export function killLeftoverProcesses() {
  for (const id of markedProcesses()) {
    try {
      process.kill(id, "SIGKILL")
    } catch {
      // It has ended by itself in the meantime.
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
    // Ended, or another user's.
    return []
  }
}
